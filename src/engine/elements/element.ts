// Element: one element of a tab, by its identity; how our in-page functions are called on it.
import { Failure } from '../../errors.ts';
import { capital, type Phrase, phrase, refLabel, refName, TAKE_NEW_SNAPSHOT } from '../../text.ts';
import type { InPage } from '../inpage/source.ts';
import { type Limits, under } from '../limits.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { type Ref, roleAndName, stale } from './refs.ts';

/** Where an element is: enough to find it again in its process. */
export interface ElementLocation {
  wire: CdpSession;
  /** Backend node id. */
  id: number;
  /** CDP frame id. */
  frame: string;
}

type Arg<K extends keyof InPage> = Parameters<InPage[K]> extends [unknown, infer A, ...unknown[]] ? [A] : [];
type Answer<K extends keyof InPage> = Awaited<ReturnType<InPage[K]>>;

export class Element {
  #object: Promise<string> | undefined;

  constructor(
    readonly tab: Tab,
    readonly location: ElementLocation,
    /** The ref it was found by, if so. */
    readonly ref?: Ref,
    /** What the caller called it, for messages. */
    readonly description: string | Phrase = ref ? phrase`${refName(ref.number)}` : 'the element',
  ) {}

  /** `@e5 button "Save"`, or what the caller called it. */
  get label(): Phrase {
    return this.ref ? phrase`${refLabel(this.ref.number, roleAndName(this.ref))}` : phrase`${this.description}`;
  }

  /** Runs one of our in-page functions on the element, in our own script world. */
  async call<K extends keyof InPage>(limits: Limits, name: K, ...arg: Arg<K>): Promise<Answer<K>> {
    const objectId = await this.object(limits);
    const { result, exceptionDetails } = await this.#gone(
      this.tab.send(limits, this.location.wire, 'Runtime.callFunctionOn', {
        objectId,
        functionDeclaration: `function(arg) { return globalThis.tabwright.${name}(this, arg); }`,
        arguments: [{ value: arg[0] }],
        returnByValue: true,
        awaitPromise: true,
      }),
    );
    if (exceptionDetails)
      throw new Failure(
        'internal',
        `${name} failed in the page: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
      );
    return result.value as Answer<K>;
  }

  /** The element's object in our own script world. */
  object(limits: Limits): Promise<string> {
    this.#object ??= this.#gone(this.#resolve(limits));
    return this.#object;
  }

  async #resolve(limits: Limits): Promise<string> {
    const { wire, id, frame } = this.location;
    const executionContextId = await under(limits.signal, wire.own(frame));
    const { object } = await this.tab.send(limits, wire, 'DOM.resolveNode', { backendNodeId: id, executionContextId });
    if (object.objectId === undefined) throw this.stale();
    return object.objectId;
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

  async #gone<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      throw error instanceof CdpError && error.isGone ? this.stale() : error;
    }
  }
}
