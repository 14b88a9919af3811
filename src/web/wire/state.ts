// What the page knows: who is logged in, what the server told last, and whether it can be reached.
import { computed, signal } from '@preact/signals';
import type { Overview, ServerMessage, SessionCard, ViewRight } from '../../surfaces/view/protocol.ts';

/** `waiting`: the next attempt comes at `until`. `login`: nobody is logged in; `why` is what the server said to a code. */
type Link =
  | { state: 'connecting' | 'open' }
  | { state: 'waiting'; until: number; attempts: number }
  | { state: 'login'; why?: string };

export const link = signal<Link>({ state: 'connecting' });

export const hello = signal<Extract<ServerMessage, { type: 'hello' }> | undefined>();

export const overview = signal<Overview | undefined>();

/** Whether this server tells its administrators about itself. */
export const hasFacts = signal(false);

export const may = (right: ViewRight): boolean => hello.value?.rights.includes(right) ?? false;

export const sessionOf = (id: string): SessionCard | undefined =>
  overview.value?.sessions.find(session => session.id === id);

export const waitingCount = computed(
  () => (overview.value?.approvals.length ?? 0) + (overview.value?.asks.length ?? 0),
);

interface Notice {
  id: number;
  text: string;
  isError: boolean;
}

const MOST_NOTICES = 3;
let lastNotice = 0;

export const notices = signal<Notice[]>([]);

/** A message that stays until it is dismissed; the same text is not shown twice. */
export function notify(text: string, isError = true): void {
  const others = notices.value.filter(one => one.text !== text);
  notices.value = [...others, { id: ++lastNotice, text, isError }].slice(-MOST_NOTICES);
}

export const dismiss = (id: number): void => {
  notices.value = notices.value.filter(one => one.id !== id);
};

/** What screen readers are told when they have finished the sentence before. */
export const announced = signal('');

export const announce = (text: string): void => {
  announced.value = text;
};

/** Counts the seconds while somebody looks, for "3 min ago". */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 1_000);
}
