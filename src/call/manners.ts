// What a dialect does by itself about dialogs and tabs that its tools do not name.

import { DIALECTS } from '../dialects/index.ts';
import { NOTHING_SHOWN, type ShownNow } from '../dialects/shown.ts';
import type { Limits } from '../engine/limits.ts';
import type { Tab } from '../engine/tab/tab.ts';
import { Failure } from '../errors.ts';
import { keyOf } from '../session/names.ts';
import type { Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { Call } from './message.ts';

const dialectOf = ({ dialect = 'native' }: Call) => DIALECTS[dialect];

/** Before a call acts on the tab: dialogs are answered from now on, also one that is open. The answer tells it. */
export async function meetDialogs(call: Call, tab: Tab, limits: Limits): Promise<void> {
  const action = dialectOf(call)?.dialogs;
  if (!action) return;
  for (const one of tab.context.tabs.values()) one.autoDialog ??= { action };
  if (!tab.dialog) return;
  const { type, message } = await tab.answer(limits, action);
  tab.notes.push(`An open ${type} dialog was ${action}ed: ${JSON.stringify(message)}`);
}

/** After it: the tab that the page has opened is the one to act on next. */
export function followTab(call: Call, tab: Tab | undefined, data: unknown): void {
  const id: unknown = Object(Object(data).opened).tabId;
  const opened = typeof id === 'number' ? tab?.context.tabs.get(id) : undefined;
  if (tab && opened && dialectOf(call)?.follows) tab.context.activate(opened);
}

/** After it: of the tabs that are left, the first one. */
export function returnToFirst(call: Call, session: Session | undefined, data: unknown): void {
  const [first] = session?.context.tabs.values() ?? [];
  const { closed } = Object(data);
  if (first && Array.isArray(closed) && closed.length > 0 && dialectOf(call)?.closesToFirst)
    session?.context.activate(first);
}

/** What the caller means by the number of a page, or of a snapshot. Its session need not be open yet. */
export function shownTo(server: Server, call: Call): ShownNow {
  if (!dialectOf(call)?.hasPage) return NOTHING_SHOWN;
  const key = keyOf(undefined, call.caller);
  const session = server.list().find(({ name }) => name === key);
  if (!session) return NOTHING_SHOWN;
  const { pages, snapshot } = session.shown;
  const { tabs, active } = session.context;
  return { pages, snapshot, open: [...tabs.keys()], active: active?.id };
}

/** Before a call that names no tab acts on the active one: when another one was selected and is gone, that is told once. */
export function checkSelected(call: Call, { shown, context }: Session): void {
  const { selected } = shown;
  if (!dialectOf(call)?.hasPage || selected === undefined || context.tabs.has(selected)) return;
  shown.selected = undefined;
  const now = context.active;
  throw new Failure(
    'no_tab',
    `The selected page has been closed.${now ? ` Selected now: ${now.url.slice(0, 200)}` : ''}`,
    'Call list_pages to see which pages are open, then go on.',
  );
}

/** A browser that was started with one has a page before anybody opens one. */
export async function openPage(call: Call, { context }: Session, limits: Limits): Promise<void> {
  if (!dialectOf(call)?.hasPage || context.tabs.size > 0) return;
  // One that somebody else started has pages of its own.
  await context.open(limits);
  if (context.tabs.size === 0) await context.tab(undefined, limits);
}
