// The refs of one tab: numbers that only grow over all tabs of its session, each bound to one element of one document.
import { Failure } from '../../errors.ts';
import { capital, noun, phrase, refName, TAKE_NEW_SNAPSHOT, TAKE_SNAPSHOT } from '../../text.ts';
import type { Limits } from '../limits.ts';

/** Which element: CDP session of its process, backend node id, and the document (frame and loader) it was seen in. */
export interface ElementIdentity {
  session: string;
  id: number;
  frame: string;
  loader: string;
  /** Which item of a drawing, when it is not the element as a whole. */
  item?: string | undefined;
}

/** The element as the caller was shown it. */
export interface ShownElement {
  role: string;
  name: string;
  /** Fingerprint of the element's content; '' when unknown. */
  mark: string;
}

export interface Ref extends ElementIdentity, ShownElement {
  number: number;
}

/** The ref as the caller of these limits writes it. */
export const formatRef = (ref: { number: number }, { refPrefix = '@e' }: Pick<Limits, 'refPrefix'>): string =>
  `${refPrefix}${ref.number}`;

/** `button "Save"`, cut to what a line can hold. */
export const roleAndName = ({ role, name }: { role: string; name: string }): string =>
  name === '' ? role : `${role} ${JSON.stringify(name.length > 60 ? `${name.slice(0, 59)}…` : name)}`;

/** Old documents' refs are let go beyond this many, oldest first. */
const MOST = 200_000;

/** The last ref of a session: its tabs count on from it, so that a ref names one element of one tab. */
export interface RefCounter {
  last: number;
}

export class Refs {
  readonly #counter: RefCounter;
  readonly #byNumber = new Map<number, Ref>();
  readonly #byIdentity = new Map<string, Ref>();

  constructor(counter: RefCounter) {
    this.#counter = counter;
  }

  /** The number of that element: the one it has, or the next. */
  assign(identity: ElementIdentity, shown: ShownElement): Ref {
    const key = keyOf(identity);
    const known = this.#byIdentity.get(key);
    if (known) return Object.assign(known, shown);
    const ref: Ref = { ...identity, ...shown, number: ++this.#counter.last };
    this.#byNumber.set(ref.number, ref);
    this.#byIdentity.set(key, ref);
    if (this.#byNumber.size > MOST) this.#dropOldest();
    return ref;
  }

  find(identity: ElementIdentity): Ref | undefined {
    return this.#byIdentity.get(keyOf(identity));
  }

  get(number: number): Ref | undefined {
    return this.#byNumber.get(number);
  }

  #dropOldest(): void {
    for (const ref of this.#byNumber.values()) {
      if (this.#byNumber.size <= MOST / 2) return;
      this.#byNumber.delete(ref.number);
      this.#byIdentity.delete(keyOf(ref));
    }
  }
}

const keyOf = ({ session, id, loader, item = '' }: ElementIdentity): string => `${session}/${id}/${loader}/${item}`;

export const neverGiven = (number: number, { last }: RefCounter): Failure =>
  new Failure(
    'stale_ref',
    phrase`${refName(number)} was never given out in this session${last === 0 ? '' : phrase` (the last one is ${refName(last)})`}.`,
    phrase`${capital(TAKE_SNAPSHOT)} and use a ${noun('ref')} from it.`,
  );

export function stale(ref: { number: number; role?: string; name?: string }): Failure {
  const was = ref.role === undefined ? '' : ` (${roleAndName({ role: ref.role, name: ref.name ?? '' })})`;
  return new Failure(
    'stale_ref',
    phrase`${refName(ref.number)}${was} is no longer on the page: it was removed or replaced, or the page was left.`,
    phrase`${capital(TAKE_NEW_SNAPSHOT)} and use a ${noun('ref')} from it.`,
  );
}
