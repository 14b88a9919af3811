// From what the caller wrote to one element: by ref, or by a selector that must match just one.
import { Failure } from '../../errors.ts';
import { capital, noun, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { type Limits, remaining } from '../limits.ts';
import type { CdpSession } from '../tab/cdp-session.ts';
import type { FrameSession } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';
import { candidates } from './describe.ts';
import { Element } from './element.ts';
import { elementsOf, locatorOf } from './locate.ts';
import { asWritten, parseTarget, type Target } from './parse-target.ts';
import { type Ref, stale } from './refs.ts';

type Selector = Exclude<Target, { kind: 'ref' }>;

/** The one element that the selector names. */
export async function resolve(
  tab: Tab,
  selector: string,
  frameId: number | undefined,
  limits: Limits,
): Promise<Element> {
  const target = parseTarget(selector);
  await tab.readable(limits);
  if (target.kind === 'ref') return byRef(tab, target.number, limits);
  const found = await searchUntil(tab, target, selector, frameId, limits);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw nothing(selector, target, frameId);
  throw new Failure(
    'ambiguous',
    phrase`${quoteSelector(selector)} matches ${found.length >= MOST ? `${MOST} or more` : found.length} elements: ${await candidates(tab, found.slice(0, 8), limits)}${found.length > 8 ? ', …' : ''}.`,
    phrase`Use one of these ${noun('refs')}, or a narrower selector.`,
  );
}

/** The element of a ref, as fast as can be: nothing is waited for, a stale one fails at once. */
async function byRef(tab: Tab, number: number, limits: Limits): Promise<Element> {
  const ref = tab.refs.get(number);
  const wire = ref.wire === tab.main.key ? tab.main : await childWire(tab, ref, limits);
  if (!wire || wire.closed || wire.loaders.get(ref.frame) !== ref.loader) throw stale(ref);
  return new Element(tab, { wire, id: ref.id, frame: ref.frame }, ref);
}

async function childWire(tab: Tab, ref: Ref, limits: Limits): Promise<CdpSession | undefined> {
  const wires = await tab.frames.wires(limits);
  return wires.find(({ wire }) => wire.key === ref.wire)?.wire;
}

const MOST = 100;
/** Left over of the call's time, so that "nothing matches" is said before the call itself times out. */
const RESERVE_MS = 150;

/** Searches, and when nothing matches yet, waits for it to appear. */
async function searchUntil(
  tab: Tab,
  target: Selector,
  selector: string,
  frameId: number | undefined,
  limits: Limits,
): Promise<Element[]> {
  const found = await search(tab, target, selector, frameId, limits);
  if (found.length > 0) return found;
  const { frame } = await tab.frames.byNumber(frameId ?? 0, limits);
  limits.waiting();
  const wait = locatorOf(frame, target)
    .first()
    .waitFor({ state: 'attached', timeout: Math.max(1, remaining(limits) - RESERVE_MS) });
  const appeared = await tab.race(limits, wait).then(
    () => true,
    error => {
      if (error instanceof Failure) throw error;
      return false;
    },
  );
  return appeared ? search(tab, target, selector, frameId, limits) : [];
}

/** The matches in the given frame; without one, in the main frame, and if there are none, in the others. */
export async function search(
  tab: Tab,
  target: Selector,
  selector: string,
  frameId: number | undefined,
  limits: Limits,
): Promise<Element[]> {
  const first = await tab.frames.byNumber(frameId ?? 0, limits);
  const found = await inFrame(tab, first, target, selector, limits);
  if (found.length > 0 || frameId !== undefined || tab.page.frames().length === 1) return found;
  const others = (await tab.frames.all(limits)).filter(place => place.frame !== first.frame);
  const lists = await Promise.all(others.map(place => inFrame(tab, place, target, selector, limits)));
  return lists.flat();
}

async function inFrame(
  tab: Tab,
  place: FrameSession,
  target: Selector,
  selector: string,
  limits: Limits,
): Promise<Element[]> {
  const { elements } = await elementsOf(
    tab,
    place,
    locatorOf(place.frame, target),
    quoteSelector(selector),
    limits,
    MOST,
  );
  if (elements.length < 2) return elements;
  // Several match: a hidden copy (a template, a menu that is closed) does not make the visible one ambiguous.
  const looks = await Promise.all(elements.map(element => element.call(limits, 'look', {})));
  const visible = elements.filter((_, at) => looks[at]?.trouble === undefined);
  return visible.length > 0 ? visible : elements;
}

function nothing(selector: string, target: Target, frameId: number | undefined): Failure {
  const where = frameId === undefined ? 'on the page' : `in frame ${frameId}`;
  const hint =
    target.kind === 'css' && /^[\w\s]+$/.test(selector)
      ? `To find by text, write text:${selector}.`
      : phrase`${capital(TAKE_SNAPSHOT)} to see what is there.`;
  return new Failure('not_found', `Nothing ${where} matches ${quoteSelector(selector)}.`, hint);
}

export function quoteSelector(selector: string): string {
  const written = asWritten(selector);
  return JSON.stringify(written.length > 80 ? `${written.slice(0, 79)}…` : written);
}
