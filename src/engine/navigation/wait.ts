// Wait: for elements, text, an address, a load state, a script, a request, a download, or simply for time.

import { CdpError } from '../../cdp/errors.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { asWord } from '../../policy/foreign-text.ts';
import { compileRegex, regexLiteral } from '../../policy/safe-regex.ts';
import { urlMatcher } from '../../policy/url-pattern.ts';
import { calledTool, capital, phrase, TAKE_SNAPSHOT, tabName, toolName } from '../../text.ts';
import { knownTitle, titleOf } from '../actions/effects.ts';
import { scriptOf } from '../actions/evaluate.ts';
import { elementsOf, semantic, stepsOf, untilMatch } from '../elements/locate.ts';
import { parseTarget } from '../elements/parse-target.ts';
import { quoteSelector, resolve } from '../elements/resolve.ts';
import { bounded, type Limits, pause, remaining, waitTime } from '../limits.ts';
import { nextRequest } from '../network/next-request.ts';
import { FIRST, type PageStep, type SelectorStep, textTest, VISIBLE } from '../selectors/steps.ts';
import { type DownloadRow, downloadText } from '../tab/downloads.ts';
import { type FrameSession, worldOf } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';
import { loadState, type WaitUntil } from './navigate.ts';

export const CONDITIONS = [
  'selector',
  'selector_hidden',
  'text',
  'text_hidden',
  'text_or_name',
  'url',
  'load_state',
  'function',
  'timeout',
  'download',
  'request',
  'response',
  'navigation',
  'new_tab',
] as const;
export const STATES = ['attached', 'detached', 'visible', 'hidden'] as const;
type ElementState = (typeof STATES)[number];

export interface WaitInput {
  for: (typeof CONDITIONS)[number];
  selector?: string | undefined;
  state?: ElementState;
  text?: string | undefined;
  url?: string | undefined;
  load_state?: WaitUntil | undefined;
  function?: string | undefined;
  polling?: number;
  duration?: number | undefined;
  filename_contains?: string | undefined;
  wait_for_complete?: boolean;
  frameId?: number | undefined;
}

export interface WaitResult {
  /** What has come about. */
  met: string;
  ms: number;
  file?: DownloadRow;
  /** Where the tab is now. */
  page?: { url: string; title: string };
  /** The new tab. */
  tab?: { tabId: number; targetId: string; url: string; title: string };
}

/** Left over of the call's time, so that the wait can report what did not come about. */
const RESERVE_MS = 100;

export async function wait(tab: Tab, input: WaitInput, limits: Limits): Promise<WaitResult> {
  const started = performance.now();
  const seconds = Math.round(remaining(limits) / 100) / 10;
  const late = () => {
    const known = input.for === 'download' ? tab.context.downloads.list() : [];
    const hint =
      known.length === 0 ? phrase`${capital(TAKE_SNAPSHOT)} to see where the page stands.` : downloadsSoFar(known);
    return new Failure('timeout', `Waited ${seconds} s, but ${expectation(input)} did not come about.`, hint);
  };
  limits.waiting();
  const ms = waitTime(limits, RESERVE_MS);
  const met = await bounded(limits, ms, late, bound => WAITERS[input.for](tab, input, bound));
  return { ...met, ms: Math.round(performance.now() - started) };
}

const downloadsSoFar = (known: DownloadRow[]): string =>
  `Downloads so far: ${known
    .slice(-5)
    .map(row => downloadText(row))
    .join('; ')}.`;

/** What is waited for, where no argument says more. */
const EXPECTED: Partial<Record<WaitInput['for'], string>> = {
  function: 'a true value of the function',
  navigation: 'a navigation',
  new_tab: 'a new tab',
  download: 'a download',
  load_state: 'load',
};

function expectation(input: WaitInput): string {
  const value = input.selector ?? input.text ?? input.url ?? input.load_state ?? input.filename_contains;
  if (value === undefined) return EXPECTED[input.for] ?? input.for;
  return `${input.for.replace('_or_name', '')} ${quoteSelector(value)}`;
}

type Met = Omit<WaitResult, 'ms'>;
type Waiter = (tab: Tab, input: WaitInput, limits: Limits) => Promise<Met>;

const WAITERS: Record<WaitInput['for'], Waiter> = {
  selector: (tab, input, limits) => element(tab, input, input.state ?? 'visible', limits),
  selector_hidden: (tab, input, limits) => element(tab, input, 'hidden', limits),
  text: (tab, input, limits) => text(tab, input, 'visible', limits),
  text_hidden: (tab, input, limits) => text(tab, input, 'hidden', limits),
  text_or_name: (tab, input, limits) => textOrName(tab, need(input, 'text'), limits),
  async url(tab, input, limits) {
    const matches = urlMatcher(need(input, 'url'));
    await poll(tab, limits, input.polling ?? 100, async () => matches(tab.url));
    return { met: `the address is ${tab.url}`, page: await pageOf(tab, limits) };
  },
  async load_state(tab, input, limits) {
    const state = input.load_state ?? 'load';
    await tab.race(limits, loadState(tab, state));
    return { met: `${state} has fired` };
  },
  async function(tab, input, limits) {
    const script = scriptOf(need(input, 'function'));
    const place = tab.frames.byNumber(input.frameId ?? 0, limits);
    await poll(tab, limits, input.polling ?? 100, async () => {
      const contextId = worldOf(place, limits); // another page may have come
      if (limits.judge && contextId === undefined) return false;
      const answer = await tab
        .send(limits, place.cdp, 'Runtime.evaluate', { ...script, ...defined({ contextId }), awaitPromise: true })
        .catch(error => {
          if (error instanceof CdpError && error.isGone) return undefined; // the page was left meanwhile
          throw error;
        });
      if (!answer) return false;
      const { result, exceptionDetails } = answer;
      if (exceptionDetails)
        throw new Failure(
          'script_error',
          `The function threw: ${(exceptionDetails.exception?.description ?? exceptionDetails.text).slice(0, 300)}`,
          'Mend it.',
        );
      return result.objectId !== undefined || Boolean(result.value ?? result.unserializableValue);
    });
    return { met: 'the function returned true' };
  },
  async timeout(_tab, input, limits) {
    const ms = input.duration ?? 1_000;
    await pause(limits.signal, ms);
    return { met: `${ms} ms are over` };
  },
  async download(tab, input, limits) {
    const toTheEnd = input.wait_for_complete !== false;
    const { downloads } = tab.context;
    const find = () => downloads.next(input.filename_contains ?? '', toTheEnd);
    let transfer = find();
    while (!transfer) {
      await tab.race(limits, pause(limits.signal, 50));
      transfer = find();
    }
    const { row } = transfer;
    transfer.beginReported = true;
    if (toTheEnd) await tab.race(limits, transfer.ended);
    transfer.endReported = row.state !== 'running';
    if (row.state === 'failed')
      throw new Failure('file_error', `The download of ${downloadText(row)}.`, 'Start it again.');
    return { met: toTheEnd ? downloadText(row) : `download of ${asWord(row.name)} has begun`, file: { ...row } };
  },
  async request(tab, input, limits) {
    const matches = urlMatcher(need(input, 'url'));
    const { method, url } = await nextRequest(tab, 'sent', matches, limits);
    return { met: `${method} ${url} was sent` };
  },
  async response(tab, input, limits) {
    const matches = urlMatcher(need(input, 'url'));
    const { method, url, status } = await nextRequest(tab, 'answered', matches, limits);
    return { met: `${method} ${url} answered ${status}` };
  },
  /** Also a navigation that the last action began, however far it has come. */
  async navigation(tab, _input, limits) {
    await tab.race(limits, tab.context.recentEvents.nextPage(tab));
    await tab.race(limits, loadState(tab, 'load'));
    const page = await pageOf(tab, limits);
    return { met: `the page is ${page.url}`, page };
  },
  /** Also a tab that the last action opened. */
  async new_tab({ context }, _input, limits) {
    const tabId = await context.recentEvents.nextTab(limits.signal);
    const opened = context.tabs.get(tabId);
    if (!opened)
      throw new Failure(
        'no_tab',
        phrase`${capital(tabName(tabId))} was opened and closed again.`,
        phrase`See ${toolName('tab_list')}.`,
      );
    await opened.ready(limits);
    const url = opened.pending?.url ?? opened.url;
    const title = await knownTitle(opened, limits);
    return { met: `tab ${tabId} is open: ${url}`, tab: { tabId, targetId: opened.main.root, url, title } };
  },
};

const pageOf = async (tab: Tab, limits: Limits) => ({ url: tab.url, title: await titleOf(tab, limits) });

function need(input: WaitInput, key: 'selector' | 'text' | 'url' | 'function'): string {
  const value = input[key];
  if (value !== undefined && value !== '') return value;
  throw new Failure('bad_input', phrase`${calledTool('wait')} for ${input.for} needs "${key}".`, `Give "${key}".`);
}

async function element(tab: Tab, input: WaitInput, state: ElementState, limits: Limits): Promise<Met> {
  const selector = need(input, 'selector');
  const target = parseTarget(selector);
  if (target.kind === 'ref') await refState(tab, selector, state, limits);
  else {
    const description = quoteSelector(selector);
    const steps: SelectorStep[] = [...stepsOf(target, description), FIRST];
    if (state === 'visible' || state === 'hidden') steps.push(VISIBLE);
    const isThere = state === 'visible' || state === 'attached';
    await untilMatch(steps, { frameId: input.frameId, isThere }, { tab, limits, description });
  }
  return { met: `${quoteSelector(selector)} is ${state}` };
}

/** The element of a ref is looked at again and again; an element that is gone stays hidden and detached. */
async function refState(tab: Tab, selector: string, state: ElementState, limits: Limits): Promise<void> {
  const isGone = (error: unknown) => error instanceof Failure && error.code === 'stale_ref';
  const look = async () => (await resolve(tab, { selector }, limits)).call('look', {});
  await poll(tab, limits, 50, async () => {
    try {
      const { trouble } = await look();
      if (trouble === 'gone') return state === 'detached' || state === 'hidden';
      return state === 'attached' || ((state === 'visible') === (trouble !== 'hidden') && state !== 'detached');
    } catch (error) {
      if (isGone(error) && (state === 'detached' || state === 'hidden')) return true;
      throw error;
    }
  });
}

async function text(tab: Tab, input: WaitInput, state: 'visible' | 'hidden', limits: Limits): Promise<Met> {
  const wanted = need(input, 'text');
  const description = quoteSelector(wanted);
  const pattern = regexOf(wanted);
  const found: SelectorStep = pattern
    ? { by: 'text', text: { how: 'regex', value: pattern.source, flags: pattern.flags } }
    : semantic('text', wanted);
  const options = { frameId: input.frameId, isThere: state === 'visible' };
  await untilMatch([found, VISIBLE], options, { tab, limits, description });
  return { met: `text ${description} is ${state}` };
}

/** How long a frame may take that does not answer, while others are asked again. */
const FRAME_MS = 1_000;

/** In any frame: as text, or as what an element is called by a label, a picture's text or a placeholder. */
async function textOrName(tab: Tab, wanted: string, limits: Limits): Promise<Met> {
  const text = textTest(wanted);
  const any: PageStep[] = [
    { by: 'text', text },
    { by: 'label', text },
    { by: 'attribute', name: 'alt', text },
    { by: 'attribute', name: 'placeholder', text },
  ];
  const steps: PageStep[] = [{ by: 'any', steps: any }, VISIBLE];
  const description = quoteSelector(wanted);
  const isIn = async (place: FrameSession): Promise<boolean> =>
    (await elementsOf(steps, { tab, limits, place, description })).count > 0;
  await poll(tab, limits, 100, async () => {
    const found = tab.frames.all().map(place => isIn(place).catch(() => false)); // it may have just gone
    const none = Promise.all(found).then(() => false);
    const some = found.map(one => one.then(is => is || new Promise<boolean>(() => undefined)));
    return Promise.race([...some, none, pause(limits.signal, FRAME_MS).then(() => false)]);
  });
  return { met: `${description} is on the page` };
}

/** `/…/` and `/…/i` are regular expressions, which run in the page. */
function regexOf(input: string): RegExp | undefined {
  const literal = regexLiteral(input);
  const hint = 'Mend it, or leave the slashes out to match plain text.';
  return literal && compileRegex(() => new RegExp(literal.source, literal.flags), quoteSelector(input), hint);
}

async function poll(tab: Tab, limits: Limits, every: number, isMet: () => Promise<boolean>): Promise<void> {
  while (!(await tab.race(limits, isMet()))) await tab.race(limits, pause(limits.signal, Math.max(10, every)));
}
