// The checks of `tabwright doctor`, run when asked for.
import { useSignal } from '@preact/signals';
import type { DoctorRow } from '../../surfaces/view/protocol.ts';
import { doctor } from '../wire/api.ts';
import { announce, notify } from '../wire/state.ts';

export function Checks() {
  const rows = useSignal<DoctorRow[]>([]);
  const isRunning = useSignal(false);
  const run = async () => {
    isRunning.value = true;
    try {
      rows.value = await doctor();
      announce(
        `${rows.value.filter(({ state }) => state !== 'ok').length} of ${rows.value.length} checks found something.`,
      );
    } catch (error) {
      notify((error as Error).message);
    }
    isRunning.value = false;
  };
  return (
    <>
      <button type="button" disabled={isRunning.value} onClick={run}>
        {isRunning.value ? 'Checking…' : 'Run the checks'}
      </button>
      <ul class="checks">
        {rows.value.map(({ name, state, message, hint }) => (
          <li key={name}>
            <span class={`decision check-${state}`}>{state}</span> <strong>{name}</strong> {message}
            {hint && <span class="hint">{hint}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
