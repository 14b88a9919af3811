// From what the caller wrote to one element: by ref, or by a selector that must match just one.
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { capital, noun, phrase, refName, TAKE_SNAPSHOT, tabName, toolName } from '../../text.ts';
import { inTime, isTimeout, type Limits, waitTime } from '../limits.ts';
import type { SelectorStep } from '../selectors/steps.ts';
import type { FrameSession } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';
import { candidates } from './describe.ts';
import { Element } from './element.ts';
import { elementsOf, MOST_MATCHES, stepsOf, untilMatch } from './locate.ts';
import { asWritten, type ElementTarget, parseTarget, type Selector } from './parse-target.ts';
import { neverGiven, roleAndName, stale } from './refs.ts';

/** The one element that the target names; a selector that matches nothing yet is waited for. */
export async function resolve(tab: Tab, target: ElementTarget, limits: Limits): Promise<Element> {
  const element = await find(tab, target, limits);
  const { frame } = element.location;
  if (limits.judge && frame !== tab.main.root) limits.judge.check([tab.frames.byId(frame).frame.url]);
  return element;
}

async function find(tab: Tab, target: ElementTarget, limits: Limits): Promise<Element> {
  const parsed = parseTarget(target.selector);
  await tab.readable(limits);
  if (parsed.kind === 'ref') return byRef(tab, parsed.number, limits);
  const search = new Search(tab, target, parsed, limits);
  const found = await search.untilFound();
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw search.nothingFound();
  throw new Failure(
    'ambiguous',
    phrase`${search.description} matches ${found.length >= MOST_MATCHES ? `${MOST_MATCHES} or more` : found.length} elements: ${await candidates(found)}.`,
    phrase`Use one of these ${noun('refs')}, or a narrower selector.`,
  );
}

/** The first element that the target matches now, if any. */
export async function findFirst(tab: Tab, target: ElementTarget, limits: Limits): Promise<Element | undefined> {
  const parsed = parseTarget(target.selector);
  if (parsed.kind === 'ref') return resolve(tab, target, limits);
  const [found] = await new Search(tab, target, parsed, limits).now();
  return found;
}

/** The element of a ref, as fast as can be: nothing is waited for, a stale one fails at once. */
async function byRef(tab: Tab, number: number, limits: Limits): Promise<Element> {
  const ref = tab.refs.get(number) ?? missing(tab, number);
  const cdp =
    ref.session === tab.main.key ? tab.main : tab.frames.sessions().find(child => child.cdp.key === ref.session)?.cdp;
  if (!cdp || cdp.closed || cdp.loaders.get(ref.frame) !== ref.loader) throw stale(ref);
  return new Element(tab, limits, { cdp, id: ref.id, frame: ref.frame }, { ref });
}

/** Why the tab has no such ref: another tab has it, it was never given out, or its element is long gone. */
function missing(tab: Tab, number: number): never {
  const { refCounter, tabs } = tab.context;
  if (number < 1 || number > refCounter.last) throw neverGiven(number, refCounter);
  const owner = [...tabs.values()].find(({ refs }) => refs.get(number));
  const ref = owner?.refs.get(number);
  if (!owner || !ref) throw stale({ number });
  throw new Failure(
    'stale_ref',
    phrase`${refName(number)} (${roleAndName(ref)}) belongs to ${tabName(owner.id)}; this call is for ${tabName(tab.id)}.`,
    phrase`Give tabId ${owner.id}, or go there with ${toolName('tab_switch')} first.`,
  );
}

/** Left over of the call's time, so that "nothing matches" is reported before the call itself times out. */
const RESERVE_MS = 150;

/** One search for the elements that a selector matches. */
class Search {
  /** The selector, for messages. */
  readonly description: string;
  readonly steps: SelectorStep[];

  constructor(
    readonly tab: Tab,
    readonly target: ElementTarget,
    readonly selector: Selector,
    readonly limits: Limits,
  ) {
    this.description = quoteSelector(target.selector);
    this.steps = stepsOf(selector, this.description);
  }

  /** The matches; when there are none yet, waits for one to appear. */
  async untilFound(): Promise<Element[]> {
    const found = await this.now();
    if (found.length > 0) return found;
    const { limits } = this;
    limits.waiting();
    const timeout = Math.min(waitTime(limits, RESERVE_MS), limits.targetTime ?? Number.POSITIVE_INFINITY);
    const appeared = await inTime(limits, timeout, async bound => {
      await untilMatch(this.steps, this.target, { tab: this.tab, limits: bound, description: this.description });
      return true;
    }).catch(error => {
      // When the time of the call is over as well, it is still true that nothing has appeared.
      if (!isTimeout(error)) throw error;
      return false;
    });
    return appeared ? this.now() : [];
  }

  /** The matches in the given frame; without one, in the main frame, and if there are none, in the others. */
  async now(): Promise<Element[]> {
    const first = this.#frame();
    const found = await this.#inFrame(first);
    if (found.length > 0 || this.target.frameId !== undefined) return found;
    const others = this.tab.frames.all().filter(({ id }) => id !== first.id);
    return (await Promise.all(others.map(place => this.#inFrame(place)))).flat();
  }

  #frame(): FrameSession {
    return this.tab.frames.byNumber(this.target.frameId ?? 0, this.limits);
  }

  async #inFrame(place: FrameSession): Promise<Element[]> {
    const { tab, limits, description } = this;
    const { elements } = await elementsOf(this.steps, { tab, limits, place, description });
    if (elements.length < 2) return elements;
    // Several match: a hidden copy (a template, a menu that is closed) does not make the visible one ambiguous.
    const looks = await Promise.all(elements.map(element => element.call('look', {})));
    const visible = elements.filter((_, at) => looks[at]?.trouble === undefined);
    return visible.length > 0 ? visible : elements;
  }

  nothingFound(): Failure {
    const { selector, frameId } = this.target;
    const where = frameId === undefined ? 'on the page' : `in frame ${frameId}`;
    const hint =
      this.selector.kind === 'css' && /^[\w\s]+$/.test(selector)
        ? `To find by text, write text:${selector}.`
        : phrase`${capital(TAKE_SNAPSHOT)} to see what is there.`;
    return new Failure('not_found', `Nothing ${where} matches ${this.description}.`, hint);
  }
}

export const quoteSelector = (selector: string): string => JSON.stringify(ellipsis(asWritten(selector), 80));
