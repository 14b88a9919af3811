// The timeline: the calls of the session, newest first; one can be opened, and the arrow keys go from one to the next.
import { useRef } from 'preact/hooks';
import type { TimelineCall } from '../../surfaces/view/protocol.ts';
import { Empty } from '../parts/notices.tsx';
import { Clock, duration, Since } from '../parts/time.tsx';
import { CallDetails } from './call-details.tsx';
import { calls, hasOlder, loadOlder, onlyFailures, openCall } from './timeline-state.ts';

export function Timeline() {
  const list = useRef<HTMLOListElement>(null);
  const shown = calls.value.filter(({ state }) => !onlyFailures.value || state === 'failed').reverse();
  const first = shown.some(({ id }) => id === openCall.value) ? openCall.value : shown[0]?.id;
  return (
    <>
      <label class="check panel-tools">
        <input
          type="checkbox"
          checked={onlyFailures.value}
          onChange={({ currentTarget }) => {
            onlyFailures.value = currentTarget.checked;
          }}
        />
        Failures only <span class="time muted">{calls.value.filter(({ state }) => state === 'failed').length}</span>
      </label>
      {shown.length === 0 && (
        <Empty title={onlyFailures.value ? 'No call failed' : 'No calls yet'}>
          {!onlyFailures.value && <p>The next call of the agent appears here at once.</p>}
        </Empty>
      )}
      <ol ref={list} class="timeline" onKeyDown={event => moveFocus(event, list.current)}>
        {shown.map(call => (
          <Row key={call.id} call={call} isFirst={call.id === first} />
        ))}
      </ol>
      {hasOlder.value && (
        <button type="button" class="older" onClick={loadOlder}>
          Show older calls
        </button>
      )}
    </>
  );
}

function Row({ call, isFirst }: { call: TimelineCall; isFirst: boolean }) {
  const isOpen = openCall.value === call.id;
  return (
    <li class={`call call-${call.state}`}>
      <button
        type="button"
        class="call-line"
        aria-expanded={isOpen}
        tabIndex={isFirst ? 0 : -1}
        onClick={() => {
          openCall.value = isOpen ? undefined : call.id;
        }}
      >
        <Clock time={call.began} />
        <span class="call-what">
          <span class="tool">{call.tool}</span> {call.target}
        </span>
        <Outcome call={call} />
      </button>
      {call.failure && !isOpen && <p class="call-failure two-lines">{call.failure.message}</p>}
      {isOpen && <CallDetails call={call} />}
    </li>
  );
}

const Outcome = ({ call: { state, ms = 0, began } }: { call: TimelineCall }) => {
  if (state === 'running')
    return (
      <span class="outcome running">
        running <Since time={began} />
      </span>
    );
  return (
    <span class={`outcome time ${state}`}>
      {state === 'failed' && 'failed '}
      {duration(ms)}
    </span>
  );
};

function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('.call-line') ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at < 0 || next === undefined) return;
  rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus();
  event.preventDefault();
}
