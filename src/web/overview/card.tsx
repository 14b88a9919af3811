// One session in the overview: a small live picture, who uses it, its tabs, what runs now, and what went wrong.
import { useSignal } from '@preact/signals';
import type { SessionCard } from '../../surfaces/view/protocol.ts';
import { LivePicture } from '../parts/live-picture.tsx';
import { sessionLink } from '../parts/route.ts';
import { Since } from '../parts/time.tsx';
import { ask } from '../wire/connection.ts';
import { announce } from '../wire/state.ts';

const MOST_TABS = 3;

export function Card({ session, isWaiting }: { session: SessionCard; isWaiting: boolean }) {
  const { id, name, caller, profile, shared, tabs, lastError, lease, since, calls, failures } = session;
  const active = tabs.find(tab => tab.active) ?? tabs[0];
  const others = tabs.filter(tab => tab !== active);
  return (
    <li class={`card ${isWaiting ? 'card-waiting' : lastError ? 'card-failed' : ''}`}>
      <div class="card-picture">
        {active ? (
          <LivePicture session={id} tab={active.id} size="thumb" label={`Live picture of ${name}`} />
        ) : (
          <span class="no-picture">No tab is open</span>
        )}
      </div>
      <div class="card-text">
        <h2>
          <a href={sessionLink(id)}>{name}</a>
          {lease && <span class="tag tag-lease">{lease.mine ? 'You act' : `${lease.holder} acts`}</span>}
          {isWaiting && <span class="tag tag-waiting">Waits for a person</span>}
          {shared && <span class="tag">Shared</span>}
        </h2>
        <p class="muted facts">
          <span>{caller}</span>
          {profile !== undefined && <span>profile {profile}</span>}
          <span>
            open <Since time={since} />
          </span>
          <span class="time">
            {calls} {calls === 1 ? 'call' : 'calls'}
            {failures > 0 && `, ${failures} failed`}
          </span>
        </p>
        {active && (
          <p class="one-line" title={active.url}>
            {active.title || active.url || 'Untitled'}
          </p>
        )}
        {others.length > 0 && (
          <p class="muted one-line">
            {others
              .slice(0, MOST_TABS)
              .map(({ title, url }) => title || url)
              .join(' · ')}
            {others.length > MOST_TABS && ` and ${others.length - MOST_TABS} more`}
          </p>
        )}
        <Doing session={session} />
        <Close session={session} />
      </div>
    </li>
  );
}

/** What runs now; else the failure of the last call; else for how long nothing has happened. */
function Doing({ session: { running, lastError, lastActivity } }: { session: SessionCard }) {
  const [call] = running;
  if (call)
    return (
      <p class="doing running one-line">
        <span class="tool">{call.tool}</span> {call.target} <Since time={call.since} />
        {running.length > 1 && ` and ${running.length - 1} more`}
      </p>
    );
  if (lastError)
    return (
      <p class="doing failed two-lines">
        <span class="tool">{lastError.code}</span> {lastError.message}
      </p>
    );
  return (
    <p class="doing muted">
      Idle for <Since time={lastActivity} />
    </p>
  );
}

function Close({ session: { id, name, mayAct } }: { session: SessionCard }) {
  const isSure = useSignal(false);
  if (!mayAct) return null;
  const close = async () => {
    if (await ask({ type: 'close', session: id })) announce(`Session ${name} is closed.`);
    isSure.value = false;
  };
  if (!isSure.value)
    return (
      <button
        type="button"
        class="quiet card-close"
        aria-label={`Close session ${name}`}
        onClick={() => {
          isSure.value = true;
        }}
      >
        Close
      </button>
    );
  return (
    <fieldset class="sure">
      <legend>Close {name} with its tabs?</legend>
      <button type="button" class="danger" onClick={close} ref={button => button?.focus()}>
        Close it
      </button>
      <button
        type="button"
        onClick={() => {
          isSure.value = false;
        }}
      >
        Keep it
      </button>
    </fieldset>
  );
}
