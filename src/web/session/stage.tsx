// The picture of one tab: live, or of a call; with marks on elements, and the person's input while they act.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionCard } from '../../surfaces/view/protocol.ts';
import { LivePicture } from '../parts/live-picture.tsx';
import { Controls } from '../step-in/controls.tsx';
import { InputSurface } from '../step-in/input-surface.tsx';
import { pictureUrl } from '../wire/api.ts';
import { elementAt, Mark, marked } from './marks.tsx';
import { shownStep } from './timeline-state.ts';

interface Props {
  session: SessionCard;
  tab: SessionCard['tabs'][number];
  isActing: boolean;
}

/** How large what the live picture shows is, in CSS pixels. */
const pictureSize = signal({ width: 1280, height: 720 });

export function Stage({ session, tab, isActing }: Props) {
  const size = pictureSize.value;
  const past = shownStep.value;
  const picture = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = picture.current;
    if (!element || isActing || past) return;
    const listening = new AbortController();
    const point = (line: number | undefined) => {
      marked.value = line;
    };
    element.addEventListener('mousemove', event => point(elementAt(pointIn(event, element))), listening);
    element.addEventListener('mouseleave', () => point(undefined), listening);
    return () => listening.abort();
  }, [isActing, past]);
  const label = `Live picture of ${tab.title || tab.url || 'the tab'}`;
  return (
    <div class={isActing ? 'stage acting' : 'stage'}>
      <p class="address one-line" title={tab.url}>
        <span class="stage-title">{tab.title}</span> <span class="muted">{tab.url}</span>
      </p>
      <div ref={picture} class="stage-picture" style={{ '--ratio': size.width / size.height }}>
        <LivePicture
          session={session.id}
          tab={tab.id}
          size="full"
          label={label}
          onPicture={(width, height) => {
            if (width !== pictureSize.value.width || height !== pictureSize.value.height)
              pictureSize.value = { width, height };
          }}
        />
        {!past && <Mark size={size} />}
        {past && <PastPicture id={past.picture} what={`${past.call.tool} ${past.call.target}, ${past.which}`} />}
        {isActing && !past && <InputSurface session={session.id} tab={tab.id} size={size} />}
        <Controls session={session} tab={tab.id} isActing={isActing} size={size} />
      </div>
    </div>
  );
}

/** A picture is kept by the server only for a while. */
function PastPicture({ id, what }: { id: string; what: string }) {
  const isGone = useSignal(false);
  useEffect(() => {
    isGone.value = false;
  }, [id]);
  if (isGone.value) return <span class="no-picture past">The server no longer has this picture.</span>;
  return (
    <img
      class="past"
      src={pictureUrl(id)}
      alt={`The page at ${what}`}
      onError={() => {
        isGone.value = true;
      }}
    />
  );
}

function pointIn({ clientX, clientY }: MouseEvent, element: Element): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  const { width, height } = pictureSize.value;
  return {
    x: ((clientX - box.left) / box.width) * width,
    y: ((clientY - box.top) / box.height) * height,
  };
}
