// The calls of the session that is followed, which of them is open, and which picture of them the stage shows.
import { computed, signal } from '@preact/signals';
import type { TimelineCall } from '../../surfaces/view/protocol.ts';
import { olderCalls } from '../wire/api.ts';
import { on, send } from '../wire/connection.ts';
import { announce, notify } from '../wire/state.ts';

/** The oldest are forgotten first. */
const MOST_CALLS = 2_000;
/** Screen readers hear of calls that went well at most this often. */
const QUIET_MS = 3_000;

interface Step {
  call: TimelineCall;
  which: 'before' | 'after';
  picture: string;
}

const followed = signal<string | undefined>();
/** Oldest first. */
export const calls = signal<TimelineCall[]>([]);
export const hasOlder = signal(false);
export const onlyFailures = signal(false);
export const openCall = signal<number | undefined>();
/** The id of the picture that is shown instead of the live one. */
export const shownPicture = signal<string | undefined>();

/** The pictures of all calls, in the order in which they were taken. */
export const steps = computed((): Step[] =>
  calls.value.flatMap(call =>
    (['before', 'after'] as const).flatMap(which => {
      const picture = call[which];
      return picture === undefined ? [] : [{ call, which, picture }];
    }),
  ),
);

export const shownStep = computed(() => steps.value.find(({ picture }) => picture === shownPicture.value));

/** Takes the calls of the session from now on; the answer ends it. */
export function follow(session: string): () => void {
  followed.value = session;
  calls.value = [];
  hasOlder.value = false;
  openCall.value = undefined;
  shownPicture.value = undefined;
  send({ type: 'follow', session });
  return () => {
    followed.value = undefined;
    send({ type: 'unfollow' });
  };
}

function merge(more: TimelineCall[]): void {
  const byId = new Map(calls.value.map(call => [call.id, call]));
  for (const call of more) byId.set(call.id, call);
  calls.value = [...byId.values()].sort((a, b) => a.id - b.id).slice(-MOST_CALLS);
}

export async function loadOlder(): Promise<void> {
  const session = followed.value;
  if (session === undefined) return;
  try {
    const page = await olderCalls(session, calls.value[0]?.id ?? Number.MAX_SAFE_INTEGER);
    if (followed.value !== session) return;
    merge(page.calls);
    hasOlder.value = page.more;
  } catch (error) {
    notify((error as Error).message);
  }
}

/** After a break: those that ran then may have ended since. */
function followAgain(): void {
  const session = followed.value;
  const latest = calls.value.at(-1);
  if (session === undefined) return;
  const running = calls.value.find(({ state }) => state === 'running');
  const after = running ? running.id - 1 : latest?.id;
  send({ type: 'follow', session, ...(after !== undefined && { after }) });
}

let quietUntil = 0;

function tell(ended: TimelineCall[]): void {
  const failed = ended.filter(({ state }) => state === 'failed').at(-1);
  const last = ended.at(-1);
  if (failed) announce(`${failed.tool} ${failed.target} failed: ${failed.failure?.message ?? ''}`);
  else if (last && Date.now() > quietUntil) {
    announce(`${last.tool} ${last.target} done`);
    quietUntil = Date.now() + QUIET_MS;
  }
}

export function startTimeline(): void {
  on('hello', followAgain);
  on('calls', ({ session, calls: more, more: older }) => {
    if (session !== followed.value) return;
    const isFirst = calls.value.length === 0;
    if (isFirst) hasOlder.value = older;
    else tell(more.filter(({ state }) => state !== 'running'));
    merge(more);
  });
}
