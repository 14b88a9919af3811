// The live picture of a tab on a canvas, with words in its place while there is none.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PictureSize } from '../../surfaces/view/protocol.ts';
import { watchTab } from '../wire/pictures.ts';

interface Props {
  session: string;
  tab: number;
  size: PictureSize;
  /** What screen readers are told it is; '' where the words beside it say so. */
  label: string;
  /** The size of what it shows, in CSS pixels. */
  onPicture?(width: number, height: number): void;
}

export function LivePicture({ session, tab, size, label, onPicture }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const why = useSignal<string | undefined>('Waiting for the first picture…');
  useEffect(() => {
    const drawn = canvas.current;
    if (!drawn) return;
    const begin = () =>
      watchTab({
        session,
        tab,
        size,
        canvas: drawn,
        onPicture(width, height) {
          why.value = undefined;
          onPicture?.(width, height);
        },
        onNone: text => {
          why.value = text;
        },
      });
    return whileVisible(drawn, begin);
  }, [session, tab, size]);
  return (
    <span class="live-picture">
      <canvas
        ref={canvas}
        width="640"
        height="360"
        {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      />
      {why.value !== undefined && <span class="no-picture">{why.value}</span>}
    </span>
  );
}

/** Begins when the element comes into view, and ends when it leaves. */
function whileVisible(element: Element, begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const observer = new IntersectionObserver(entries => {
    const isVisible = entries.at(-1)?.isIntersecting ?? false;
    if (isVisible) end ??= begin();
    else {
      end?.();
      end = undefined;
    }
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    end?.();
  };
}
