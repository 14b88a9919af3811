// The dialog tool: reads and answers the open dialog, and sets how later ones are answered.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { advice, capital, phrase, tabName, toolName } from '../../text.ts';
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import { SPARE } from '../browser/attach/hidden-targets.ts';
import type { Limits } from '../limits.ts';
import type { OpenDialog } from '../tab/dialogs.ts';
import type { Tab } from '../tab/tab.ts';
import { act, type Effects } from './effects.ts';

export interface DialogInput {
  action: 'accept' | 'dismiss' | 'get_message';
  prompt_text?: string | undefined;
  auto_handle?:
    | { enabled: boolean; default_action?: 'accept' | 'dismiss' | undefined; prompt_default_text?: string | undefined }
    | undefined;
}

export interface DialogDone extends Effects {
  /** The dialog that was answered or asked about. */
  question?: OpenDialog;
  answered?: 'Accepted' | 'Dismissed';
  auto?: string;
}

export async function handleDialog(tab: Tab, input: DialogInput, limits: Limits): Promise<DialogDone> {
  const { action } = input;
  if (tab.isUnattached) return answerUnseen(tab, action, limits);
  const auto = input.auto_handle && setAuto(tab, input.auto_handle, action);
  const open = tab.dialog;
  if (action === 'get_message' || (!open && auto !== undefined)) return defined({ question: open, auto });
  // The answer includes what the page does next: another dialog, a navigation.
  const resumes = open?.type === 'beforeunload';
  const answer = () => tab.dialogs.answer(limits, action, input.prompt_text);
  const { value: question, effects } = await act(tab, limits, answer, { resumes });
  return defined({ ...effects, question, answered: action === 'accept' ? 'Accepted' : 'Dismissed', auto });
}

/** The tab does not answer, perhaps because of a dialog that was open before this browser was attached to. */
async function answerUnseen({ id, target }: Tab, action: DialogInput['action'], limits: Limits): Promise<DialogDone> {
  if (!target || action !== 'dismiss')
    throw new Failure(
      'page_unresponsive',
      phrase`${capital(tabName(id))} does not answer. If a dialog has been open in it since before this browser was attached to, Chrome tells nothing of it, and lets it be dismissed only.`,
      'Use action dismiss, or answer it in the window of the browser.',
    );
  await dismissUnseenDialog(target, limits);
  const message = 'open since before the browser was attached to, with a text that Chrome does not tell';
  return { question: { type: 'dialog', message, defaultValue: '' }, answered: 'Dismissed' };
}

function setAuto(tab: Tab, auto: NonNullable<DialogInput['auto_handle']>, action: DialogInput['action']): string {
  const chosen = auto.default_action ?? (action === 'dismiss' ? 'dismiss' : 'accept');
  tab.dialogs.auto = auto.enabled
    ? { action: chosen, ...defined({ promptText: auto.prompt_default_text }) }
    : undefined;
  return auto.enabled ? `${chosen}ed automatically` : 'left open for you to answer';
}

/**
 * Chrome sends no event for a dialog that was open before the attach, and refuses commands to answer it. It dismisses
 * the dialog by itself when its user goes to another tab: so does this.
 */
async function dismissUnseenDialog(target: AttachedTab, limits: Limits): Promise<void> {
  const { connection } = target.tabs;
  await target.activate();
  const beside = await neighbour(target);
  const spare = beside ? undefined : (await connection.root.send('Target.createTarget', { url: SPARE })).targetId;
  await connection.root.send('Target.activateTarget', { targetId: spare ?? beside?.id ?? '' });
  await target.activate();
  if (spare !== undefined) await connection.root.send('Target.closeTarget', { targetId: spare });
  if (await target.answers(limits)) return;
  throw new Failure(
    'page_unresponsive',
    `No dialog could be dismissed in ${target.url.slice(0, 200)}: it still does not answer. A script keeps it busy, or DevTools or another program holds it.`,
    phrase`Use another tab${advice(phrase`: see ${toolName('tab_list')} and ${toolName('tab_new')}`)}. Or answer it in the window of the browser.`,
  );
}

/** Another tab of the same window. */
async function neighbour(target: AttachedTab): Promise<AttachedTab | undefined> {
  const windowId = await target.windowId();
  for (const other of target.tabs.listed) {
    if (other === target) continue;
    // A tab that has just been closed is in no window.
    if ((await other.windowId().catch(() => undefined)) === windowId) return other;
  }
  return undefined;
}
