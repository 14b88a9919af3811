// A page that does not answer: finds out why, frees it, and gives the tab a new page when nothing else helps.
import { Failure } from '../../errors.ts';
import {
  advice,
  argumentName,
  capital,
  type Phrase,
  phrase,
  TAKE_SNAPSHOT,
  tabName,
  theTool,
  toolName,
} from '../../text.ts';
import { bounded, inTime, type Limits, unlimited } from '../limits.ts';
import { asJustEnded } from './recovery.ts';
import type { Tab } from './tab.ts';

const PING_MS = 700;
const BUSY_MS = 2_500;
const REPLACE_MS = 5_000;

const LEFT_ALONE = 'It belongs to the person who uses the browser: nothing was stopped or closed.';
const OTHER = phrase`Wait, or use another tab${advice(phrase`: see ${toolName('tab_list')} and ${toolName('tab_new')}`)}.`;

/** Fails when there is no browser any more: then nothing can be freed. */
const answers = (tab: Tab, ms: number): Promise<boolean> =>
  inTime(unlimited(), ms, bound => tab.send(bound, tab.main, 'Runtime.evaluate', { expression: '0' })).then(
    answer => answer !== undefined,
    error => {
      if (error instanceof Failure && error.code === 'browser_gone') throw error;
      return !(error instanceof Failure) || error.code === 'dialog_open';
    },
  );

/** Before a navigation: a page in an endless loop would hold it up for ever. */
export async function ensureResponsive(tab: Tab, limits: Limits): Promise<void> {
  // A navigation that waits for its answer keeps the page from answering; the next one takes its place.
  if (tab.pending || (await answers(tab, BUSY_MS).catch(error => Promise.reject(asJustEnded(error))))) return;
  limits.signal.throwIfAborted();
  const blocked = dialogElsewhere(tab);
  if (blocked) throw blocked;
  tab.notes.push(String(await free(tab, 'leaving')));
}

/**
 * Stops the script that keeps the page busy; else replaces the page. Returns what was done. A tab that the user of an
 * attached browser opened stays as it is; only when the page is left anyway, its script is stopped.
 */
async function free(tab: Tab, why?: 'leaving'): Promise<string | Phrase> {
  if (tab.openedByUser && !why) return LEFT_ALONE;
  if (!tab.pending) {
    void tab.main.send('Runtime.terminateExecution').catch(() => undefined); // answered, or the page is replaced below
    if (await answers(tab, PING_MS))
      return 'The page was busy with a script that did not end; that script was stopped.';
  }
  const { url } = tab;
  if (tab.openedByUser)
    throw new Failure(
      'page_unresponsive',
      phrase`The page in ${tabName(tab.id)} does not answer. ${LEFT_ALONE}`,
      OTHER,
    );
  const late = () => new Failure('page_unresponsive', 'The stuck page could not be replaced.');
  await bounded(unlimited(), REPLACE_MS, late, bound => tab.context.replace(tab, bound));
  return phrase`The page at ${url} was stuck; ${tabName(tab.id)} has a new, empty page now.`;
}

/** After a timeout: the failure as it was, or the better one that says why; a stuck page is freed for the next call. */
export async function diagnoseTimeout(tab: Tab, failure: Failure): Promise<Failure> {
  if (tab.gone) return tab.gone;
  if (tab.isUnattached) return failure;
  if (tab.dialog) return dialogFailure(tab) ?? failure;
  if (tab.pending) return stopLoading(tab, failure);
  if (await answers(tab, PING_MS)) return failure;
  const blocked = dialogElsewhere(tab);
  if (blocked) return blocked;
  return new Failure(
    'page_unresponsive',
    phrase`The page in ${tabName(tab.id)} does not answer: a script keeps it busy. ${await free(tab).catch(notFreed)}`,
    tab.openedByUser ? OTHER : phrase`${capital(TAKE_SNAPSHOT)} to see where the tab stands, or navigate.`,
  );
}

/** That the page does not answer is known, whatever becomes of freeing it. */
function notFreed(error: unknown): string | Phrase {
  if (error instanceof Failure) return error.messageText;
  throw error;
}

/** A navigation that got no answer keeps the page from being read: it is given up, so that the next call works. */
async function stopLoading(tab: Tab, failure: Failure): Promise<Failure> {
  const { url = 'The server' } = tab.pending ?? {};
  void tab.main.send('Page.stopLoading').catch(() => undefined); // seen by the next line
  const isBack = await answers(tab, PING_MS);
  const who = failure.message.includes(url) ? 'It' : url;
  const now = isBack
    ? phrase` and was given up; ${tabName(tab.id)} is still at ${tab.url}.`
    : phrase`. ${await free(tab)}`;
  return new Failure(
    'timeout',
    phrase`${failure.messageText} ${who} did not answer${now}`,
    phrase`Try again${advice(phrase`, with a larger ${argumentName('timeout')} if the server is slow`)}.`,
  );
}

/** A dialog also blocks the other pages of its process: the page that opened its tab, or that its page has opened. */
function dialogElsewhere(tab: Tab): Failure | undefined {
  const other = [...tab.context.tabs.values()].find(({ dialog }) => dialog);
  return (
    other &&
    new Failure(
      'dialog_open',
      phrase`${capital(tabName(tab.id))} does not answer while a dialog is open in ${tabName(other.id)}.`,
      phrase`Answer it with ${theTool('dialog')} there, then try again.`,
    )
  );
}

function dialogFailure(tab: Tab): Failure | undefined {
  try {
    tab.checkDialog();
    return undefined;
  } catch (error) {
    return error instanceof Failure ? error : undefined;
  }
}
