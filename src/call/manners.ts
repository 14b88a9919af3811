// What a dialect that has no tools for dialogs and tabs does about them by itself.

import { DIALECTS } from '../dialects/index.ts';
import type { Limits } from '../engine/limits.ts';
import type { Tab } from '../engine/tab.ts';
import type { Call } from './message.ts';

const dialectOf = ({ dialect = 'native' }: Call) => DIALECTS[dialect];

/** Before a call acts on the tab: dialogs are answered from now on, also one that is open. The answer tells it. */
export async function meetDialogs(call: Call, tab: Tab, limits: Limits): Promise<void> {
  const action = dialectOf(call)?.dialogs;
  if (!action) return;
  for (const one of tab.home.tabs.values()) one.autoDialog ??= { action };
  if (!tab.dialog) return;
  const { type, message } = await tab.answer(limits, action);
  tab.notes.push(`An open ${type} dialog was ${action}ed: ${JSON.stringify(message)}`);
}

/** After it: the tab that the page has opened is the one to act on next. */
export function followTab(call: Call, tab: Tab | undefined, data: unknown): void {
  const id: unknown = Object(Object(data).opened).tabId;
  const opened = typeof id === 'number' ? tab?.home.tabs.get(id) : undefined;
  if (tab && opened && dialectOf(call)?.follows) tab.home.activate(opened);
}
