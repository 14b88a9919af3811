// Who acts in a session now, and the buttons to take over and to hand back.
import { useSignal } from '@preact/signals';
import type { PagePermission, PersonInput, SessionCard } from '../../surfaces/view/protocol.ts';
import { Since } from '../parts/time.tsx';
import { ask, send } from '../wire/connection.ts';
import { handBack, lease as held, take } from './lease.ts';

export function LeaseState({ session: { id, lease, mayAct } }: { session: SessionCard }) {
  const isMine = held.value?.session === id;
  if (isMine)
    return (
      <p class="lease lease-mine">
        <span>
          <strong>You act.</strong> The agent waits.
        </span>
        <button type="button" id="hand-back" class="primary" onClick={handBack}>
          Hand back
        </button>
      </p>
    );
  if (lease)
    return (
      <p class="lease lease-other">
        <strong>{lease.mine ? 'You act in another window' : `${lease.holder} acts`}</strong> for{' '}
        <Since time={lease.since} />
      </p>
    );
  return (
    <p class="lease">
      <span class="muted">The agent acts. You watch.</span>
      {mayAct && (
        <button type="button" class="primary" onClick={() => take(id)}>
          Take over
        </button>
      )}
    </p>
  );
}

const PERMISSIONS: Record<PagePermission, string> = {
  geolocation: 'Location',
  notifications: 'Notifications',
  camera: 'Camera',
  microphone: 'Microphone',
  'clipboard-read': 'Clipboard',
};

/** What a browser window would have around the page. */
export function ActingBar({ session, tab }: { session: string; tab: number }) {
  const lease = held.value?.id;
  if (lease === undefined) return null;
  const go = (to: Extract<PersonInput, { kind: 'history' }>['to']) => () =>
    send({ type: 'input', session, tab, lease, input: { kind: 'history', to } });
  return (
    <div class="acting-bar" role="toolbar" aria-label="Acting in the page">
      <button type="button" onClick={go('back')}>
        Back
      </button>
      <button type="button" onClick={go('forward')}>
        Forward
      </button>
      <button type="button" onClick={go('reload')}>
        Reload
      </button>
      <button type="button" onClick={() => document.getElementById('page-input')?.focus()}>
        Type in the page
      </button>
      <Permissions session={session} tab={tab} lease={lease} />
      <span class="muted">
        <kbd>Ctrl</kbd> <kbd>Alt</kbd> <kbd>Enter</kbd> leaves the page's keyboard
      </span>
    </div>
  );
}

function Permissions({ session, tab, lease }: { session: string; tab: number; lease: string }) {
  const permission = useSignal<PagePermission>('geolocation');
  const permit = (allow: boolean) => () =>
    ask({ type: 'permit', session, tab, lease, permission: permission.value, allow });
  return (
    <details class="permissions">
      <summary>Permissions</summary>
      <div class="permissions-body">
        <label>
          This site may use{' '}
          <select
            value={permission.value}
            onChange={({ currentTarget }) => {
              permission.value = currentTarget.value as PagePermission;
            }}
          >
            {Object.entries(PERMISSIONS).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={permit(true)}>
          Allow
        </button>
        <button type="button" onClick={permit(false)}>
          Block
        </button>
      </div>
    </details>
  );
}
