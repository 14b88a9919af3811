// Messages for the person, the state of the connection, and what screen readers are told.
import { connect } from '../wire/connection.ts';
import { announced, dismiss, link, notices } from '../wire/state.ts';
import { Until } from './time.tsx';

export const Notices = () => (
  <div class="notices" role="status">
    {notices.value.map(({ id, text, isError }) => (
      <p key={id} class={isError ? 'notice notice-error' : 'notice'}>
        <span>{text}</span>
        <button type="button" class="quiet" aria-label={`Dismiss: ${text}`} onClick={() => dismiss(id)}>
          Dismiss
        </button>
      </p>
    ))}
  </div>
);

export const Announcer = () => (
  <p class="unseen" aria-live="polite">
    {announced.value}
  </p>
);

/** Shown only while the server cannot be reached: what is on the page may be old then. */
export function LostConnection() {
  const state = link.value;
  if (state.state !== 'waiting') return null;
  return (
    <div class="lost" role="alert">
      <span>
        <strong>No connection.</strong> What you see may be old. Next attempt in{' '}
        <span aria-hidden="true">
          <Until time={state.until} />
        </span>
        <span class="unseen">a moment</span>
        {state.attempts > 3 && '. Does the server still run? tabwright status tells.'}
      </span>
      <button type="button" onClick={connect}>
        Try now
      </button>
    </div>
  );
}

/** When there is nothing to show: why, and what to do. */
export const Empty = ({ title, children }: { title: string; children?: preact.ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);
