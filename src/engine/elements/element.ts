// Element: one element of a tab, by its identity; how our in-page functions are called on it.
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import type { CdpCommands } from '../../cdp/protocol.ts';
import { Failure } from '../../errors.ts';
import { capital, type Phrase, phrase, refLabel, refName, TAKE_NEW_SNAPSHOT } from '../../text.ts';
import type { InPage } from '../inpage/source.ts';
import { type Limits, under } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { type Ref, roleAndName, stale } from './refs.ts';

/** Where an element is: enough to find it again in its process. */
export interface ElementLocation {
  cdp: CdpSession;
  /** Backend node id. */
  id: number;
  /** CDP frame id. */
  frame: string;
}

/** Our in-page functions that find another element. */
type Finder = {
  [K in keyof InPage]: ReturnType<InPage[K]> extends globalThis.Element | null ? K : never;
}[keyof InPage];

type Arg<K extends keyof InPage> = Parameters<InPage[K]> extends [unknown, infer A, ...unknown[]] ? [A] : [];
type Answer<K extends keyof InPage> = Awaited<ReturnType<InPage[K]>>;

export class Element {
  /** The ref it was found by, if so. */
  readonly ref: Ref | undefined;
  /** What the caller called it, for messages. */
  readonly description: string | Phrase;
  /** Its ref, role and name, for an answer, when the caller gave none of them. */
  named: Ref | undefined;
  /** Its fingerprint after an action on it, where that is known. */
  markAfter: string | undefined;
  /** The page has said after an action on it that nothing has changed. */
  isQuiet = false;
  #object: Promise<string> | undefined;

  constructor(
    readonly tab: Tab,
    /** Of the call that it was found for. */
    readonly limits: Limits,
    readonly location: ElementLocation,
    { ref, description }: { ref?: Ref; description?: string | Phrase } = {},
  ) {
    this.ref = ref;
    this.description = description ?? (ref ? phrase`${refName(ref.number)}` : 'the element');
  }

  /** `@e5 button "Save"`, or what the caller called it. */
  get label(): Phrase {
    return this.ref ? phrase`${refLabel(this.ref.number, roleAndName(this.ref))}` : phrase`${this.description}`;
  }

  /** What an answer calls it: by its ref, role and name also when it was found by a selector. */
  get shownLabel(): Phrase {
    return this.named ? phrase`${refLabel(this.named.number, roleAndName(this.named))}` : this.label;
  }

  /** Runs one of our in-page functions on the element, in our own script world. */
  async call<K extends keyof InPage>(name: K, ...arg: Arg<K>): Promise<Answer<K>> {
    return (await this.#run(name, arg[0], true)).result.value as Answer<K>;
  }

  /**
   * The first look, in the same write as the question for the element's object, whose name is guessed: a round trip less. When the
   * guess was wrong, another element was looked at, which changes nothing but perhaps what is in view; a field is prepared only when it is the one meant.
   */
  async look<K extends 'look' | 'prepare'>(name: K, ...arg: Arg<K>): Promise<Answer<K>> {
    const world = await this.#world();
    const guess = this.#object ? undefined : this.location.cdp.nextObject(world);
    if (guess === undefined) return this.call(name, ...arg);
    const object = this.objectIn(world);
    this.#object = object;
    const looked = this.#run(name, arg[0], true, guess);
    looked.catch(() => undefined); // there is no such object, or the page has gone, which the other says
    return (await object) === guess ? ((await looked).result.value as Answer<K>) : this.call(name, ...arg);
  }

  #world(): Promise<number> {
    const { cdp, frame } = this.location;
    return this.#staleIfGone(under(this.limits.signal, cdp.own(frame)));
  }

  async #run(
    name: keyof InPage,
    value: unknown,
    returnByValue: boolean,
    object?: string,
  ): Promise<Protocol.Runtime.CallFunctionOnResponse> {
    const answer = await this.send('Runtime.callFunctionOn', {
      objectId: object ?? (await this.object()),
      functionDeclaration: `function(arg) { return globalThis.tabwright.${name}(this, arg); }`,
      arguments: [{ value }],
      returnByValue,
      awaitPromise: true,
    });
    const { exceptionDetails } = answer;
    if (!exceptionDetails) return answer;
    const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new Failure('internal', `${name} failed in the page: ${why}`);
  }

  /** The element that one of our in-page functions finds from this one; messages call it by the description. */
  async find<K extends Finder>(name: K, description: Phrase, ...arg: Arg<K>): Promise<Element | undefined> {
    const { result } = await this.#run(name, arg[0], false);
    if (result.objectId === undefined) return undefined;
    const { node } = await this.send('DOM.describeNode', { objectId: result.objectId });
    return new Element(this.tab, this.limits, { ...this.location, id: node.backendNodeId }, { description });
  }

  /** The element's object in our own script world. */
  object(): Promise<string> {
    this.#object ??= this.#world().then(world => this.objectIn(world));
    return this.#object;
  }

  /** The element's object in that script world; in the default one of its frame without any. */
  async objectIn(world: number | undefined): Promise<string> {
    const { cdp, id } = this.location;
    const object = await this.#staleIfGone(this.tab.race(this.limits, cdp.objectOf(id, world)));
    if (object === undefined) throw this.stale();
    return object;
  }

  /** Sends a command to the process of the element; fails as stale when the element has gone. */
  send<M extends keyof CdpCommands>(
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    return this.#staleIfGone(this.tab.send(this.limits, this.location.cdp, method, ...params));
  }

  stale(): Failure {
    return this.ref
      ? stale(this.ref)
      : new Failure(
          'not_found',
          phrase`${this.description} has just gone from the page.`,
          phrase`${capital(TAKE_NEW_SNAPSHOT)}.`,
        );
  }

  async #staleIfGone<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      throw error instanceof CdpError && error.isGone ? this.stale() : error;
    }
  }
}
