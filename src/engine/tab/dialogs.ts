// Dialogs: reads and answers the open one, and sets how later ones are answered.
import { Failure } from '../../errors.ts';
import { capital, phrase, tabName } from '../../text.ts';
import { act, type Effects } from '../actions/effects.ts';
import { dismissUnseenDialog } from '../browser/attach/unseen-dialog.ts';
import type { Limits } from '../limits.ts';
import type { OpenDialog, Tab } from './tab.ts';

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
  if (tab.isFar) return answerUnseen(tab, action, limits);
  const auto = input.auto_handle && setAuto(tab, input.auto_handle, action);
  const open = tab.dialog;
  const told = auto === undefined ? {} : { auto };
  if (action === 'get_message' || (!open && auto !== undefined))
    return { ...(open ? { question: open } : {}), ...told };
  // What the page does next is told: another dialog, a navigation.
  const resumes = open?.type === 'beforeunload';
  const { value: question, effects } = await act(tab, limits, () => tab.answer(limits, action, input.prompt_text), {
    resumes,
  });
  return {
    ...effects,
    ...(question ? { question } : {}),
    answered: action === 'accept' ? 'Accepted' : 'Dismissed',
    ...told,
  };
}

/** The tab does not answer, perhaps because of a dialog that was there before us. */
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
  tab.autoDialog = auto.enabled
    ? { action: chosen, ...(auto.prompt_default_text === undefined ? {} : { promptText: auto.prompt_default_text }) }
    : undefined;
  return auto.enabled ? `${chosen}ed automatically` : 'left open for you to answer';
}
