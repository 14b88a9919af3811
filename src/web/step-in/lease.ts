// The lease: while this page holds it, the person's input goes to the session and the agent's actions wait.
import { effect, signal } from '@preact/signals';
import { request, send } from '../wire/connection.ts';
import { announce, notify, overview, sessionOf } from '../wire/state.ts';

const BEAT_MS = 5_000;

interface Lease {
  session: string;
  id: string;
}

export const lease = signal<Lease | undefined>();
/** Whether the server has listed it since it was taken: only then does its absence say that it has ended. */
let isListed = false;

export async function take(session: string): Promise<void> {
  try {
    await handBack();
    const answer = await request({ type: 'take', session });
    if (answer.type !== 'done' || !answer.value) return;
    isListed = false;
    lease.value = { session, id: answer.value.lease };
    announce('You act now. The agent waits. Control, Alt and Enter together leave the keyboard of the page.');
  } catch (error) {
    notify((error as Error).message);
  }
}

export async function handBack(): Promise<void> {
  const held = lease.value;
  if (!held) return;
  lease.value = undefined;
  try {
    await request({ type: 'handBack', session: held.session, lease: held.id });
    announce('Handed back to the agent.');
  } catch (error) {
    notify((error as Error).message);
  }
}

function lose(why: string): void {
  if (!lease.value) return;
  lease.value = undefined;
  notify(why);
}

async function beat(): Promise<void> {
  const held = lease.value;
  if (!held) return;
  try {
    await request({ type: 'beat', session: held.session, lease: held.id });
  } catch {
    if (overview.value && lease.value === held && isListed && !sessionOf(held.session)?.lease?.mine)
      lose('Your turn has ended: the server did not hear from this page. Take over again to go on.');
  }
}

export function startLease(): void {
  setInterval(() => void beat(), BEAT_MS);
  addEventListener('pagehide', () => {
    const held = lease.value;
    if (held) send({ type: 'handBack', session: held.session, lease: held.id });
  });
  effect(() => {
    const held = lease.value;
    if (!held || !overview.value) return;
    const isMine = sessionOf(held.session)?.lease?.mine ?? false;
    if (isMine) isListed = true;
    else if (isListed) lose('Your turn has ended. Take over again to go on.');
  });
}
