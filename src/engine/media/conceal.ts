// Pictures without secrets: what shows one is hidden while the picture is taken, and looked for again when it is there.
import { randomUUID } from 'node:crypto';
import { CdpError } from '../../cdp/errors.ts';
import { Failure, refusedBy } from '../../errors.ts';
import type { TextMask } from '../../policy/secrets/text-mask.ts';
import { phrase, toolName } from '../../text.ts';
import { Element } from '../elements/element.ts';
import { type Limits, tryFor, under, unlimited } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { CallSecrets } from '../secrets.ts';
import { captureTab } from '../snapshot/capture/capture.ts';
import { ELEMENT, type SnapDoc, type SnapNode } from '../snapshot/capture/node.ts';
import type { Tab } from '../tab/tab.ts';

/** How often a picture is taken of a page that goes on writing secrets to new places. */
const TRIES = 4;
/** How long showing everything again may take, in ms. */
const REVEAL_MS = 2_000;

/** Takes the picture; when no secret was ever used, that is all. */
export async function withoutSecrets<T>(tab: Tab, limits: Limits, take: () => Promise<T>): Promise<T> {
  if (!limits.secrets?.mask) return take();
  const concealment = new Concealment(tab, limits.secrets);
  try {
    await concealment.look(limits);
    for (let left = TRIES; left > 0; left--) {
      const taken = await take();
      if ((await concealment.look(limits)) === 0) return taken;
    }
  } finally {
    // Also when the time of the call is over; a page that does not answer is not waited for.
    await tryFor(unlimited(), REVEAL_MS, bound => concealment.end(bound));
  }
  throw refusedBy(
    'no secrets in pictures',
    'The page keeps writing a secret to new places, so no picture was taken.',
    'Wait until it is at rest.',
  );
}

/** For files that also keep what nobody sees: titles, addresses of links, descriptions of pictures. */
export async function checkNoSecrets(tab: Tab, limits: Limits): Promise<void> {
  const mask = limits.secrets?.mask;
  if (!mask) return;
  const { docs } = (await captureTab(tab, limits)).page;
  const texts = docs.flatMap(({ url, title, nodes }) => [
    url,
    title,
    nodes.map(node => node.renderedText ?? node.raw).join(''),
    ...nodes.flatMap(({ value = '', attrs }) => [value, ...Object.values(attrs)]),
  ]);
  if (texts.some(text => isIn(mask, text)))
    throw refusedBy(
      'no secrets in files of pages',
      'The page holds a secret, which the file would keep.',
      phrase`Take a ${toolName('screenshot')}, which leaves it out, or print a page that does not hold it.`,
    );
}

/** What is hidden of one tab. */
export class Concealment {
  #hidden = new Map<string, SnapNode>();
  /** A recording may hide the same for longer than a screenshot. */
  readonly #id = randomUUID();

  constructor(
    readonly tab: Tab,
    readonly secrets: CallSecrets,
  ) {}

  get isEmpty(): boolean {
    return this.#hidden.size === 0;
  }

  /** Hides what shows a secret now, and nothing else; gives how much of it was not hidden yet. */
  async look(limits: Limits): Promise<number> {
    const { mask } = this.secrets;
    const docs = mask ? (await captureTab(this.tab, limits)).page.docs : [];
    const found = docs.flatMap(doc => (mask ? nodesWith(mask, doc) : []));
    const shown = new Map(found.map(node => [keyOf(node), node]));
    const fresh = [...shown].filter(([key]) => !this.#hidden.has(key));
    const over = [...this.#hidden].filter(([key]) => !shown.has(key));
    this.#hidden = shown;
    await Promise.all(fresh.map(([key, node]) => this.#conceal(key, node, limits)));
    await this.#reveal(over, limits);
    return fresh.length;
  }

  /** Shows everything again. */
  async end(limits: Limits): Promise<void> {
    const all = [...this.#hidden];
    this.#hidden.clear();
    await this.#reveal(all, limits);
  }

  /** What has gone meanwhile is in no picture either. */
  async #conceal(key: string, { process, id, doc: { frame } }: SnapNode, limits: Limits): Promise<void> {
    const cdp = this.#session(process);
    const element = cdp && new Element(this.tab, limits, { cdp, id, frame });
    await element?.call('conceal', `${this.#id} ${key}`).catch(error => {
      if (!(error instanceof Failure && error.code === 'not_found')) throw error;
    });
  }

  /** A document that has gone has nothing to show. */
  async #reveal(hidden: readonly [string, SnapNode][], limits: Limits): Promise<void> {
    for (const doc of new Set(hidden.map(([, node]) => node.doc))) {
      const cdp = this.#session(doc.process);
      const ids = hidden.filter(([, node]) => node.doc === doc).map(([key]) => `${this.#id} ${key}`);
      await under(limits.signal, cdp?.tell('reveal', ids, doc.frame) ?? Promise.resolve()).catch(error => {
        if (!(error instanceof CdpError)) throw error;
      });
    }
  }

  #session(process: string): CdpSession | undefined {
    return this.tab.frames.sessions().find(({ cdp }) => cdp.key === process)?.cdp;
  }
}

/** Of a node in its process. */
const keyOf = ({ process, id }: SnapNode): string => `${process} ${id}`;

/** What shows a value: fields and other elements by what they hold, and texts, also several that make it up together. */
function nodesWith(mask: TextMask, doc: SnapDoc): SnapNode[] {
  const holders = doc.nodes.filter(node => node.type === ELEMENT && shownValues(node).some(text => isIn(mask, text)));
  const texts = doc.nodes.filter(node => node.type !== ELEMENT || node.renderedText !== undefined);
  const letters = texts.map(node => node.renderedText ?? node.raw);
  const places = mask.places(letters.join(''));
  if (places.length === 0) return holders;
  let at = 0;
  const shown = texts.filter((_, index) => {
    const begin = at;
    at += letters[index]?.length ?? 0;
    return places.some(([from, to]) => from < at && to > begin);
  });
  return [...new Set([...holders, ...shown.flatMap(node => shownBy(node) ?? [])])];
}

const isIn = (mask: TextMask, text: string): boolean => mask.places(text).length > 0;

const shownValues = ({ value, attrs }: SnapNode): string[] =>
  [value, attrs.value, attrs.placeholder, attrs.alt, attrs.label].filter(text => text !== undefined);

/** Texts of generated content, of lists and inside of fields are hidden with the element that they belong to. */
function shownBy(node: SnapNode): SnapNode | undefined {
  let found: SnapNode | undefined = node;
  for (let one: SnapNode | undefined = node; one; one = one.parent) {
    const belongs = one.pseudo !== undefined || one.shadow === 'user-agent' || /^(?:option|optgroup)$/.test(one.tag);
    if (belongs) found = one.parent;
  }
  return found?.rendered ? found : undefined;
}
