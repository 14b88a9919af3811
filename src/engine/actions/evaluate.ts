// Evaluate: runs a caller's script in the page and brings its value back as text, bounded and with secrets masked.
import { Script } from 'node:vm';
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import type { CdpCommands } from '../../cdp/protocol.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { redact } from '../../policy/mask.ts';
import { OR_MORE_TIME, phrase } from '../../text.ts';
import type { Element, ElementLocation } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import { type Limits, remaining } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import { maskCookies } from '../storage/cookies.ts';
import { worldOf } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';

export interface EvaluateInput {
  expression: string;
  args?: unknown[] | undefined;
  /** Which elements a function is given, before the other arguments. */
  elements?: readonly string[] | undefined;
  await_promise?: boolean;
  return_by_value?: boolean;
  max_output_size: number;
  sanitize?: boolean;
  frameId?: number | undefined;
}

export interface EvaluateResult {
  type: string;
  text: string;
  /** The value itself, when it was not cut and JSON can hold it. */
  value?: unknown;
  /** Bytes of the whole value, when it was cut. */
  cutFrom?: number;
}

export async function evaluate(tab: Tab, input: EvaluateInput, limits: Limits): Promise<EvaluateResult> {
  await tab.readable(limits);
  tab.context.recentEvents.begin();
  const script = new PageScript(tab, input, limits);
  const { result, exceptionDetails } = await (input.elements?.length ? script.callWith(input.elements) : script.run());
  const shown = input.sanitize === false ? (text: string) => text : redact;
  if (exceptionDetails) throw thrown(exceptionDetails, shown);
  const text = input.return_by_value === false ? describe(result) : await script.textOf(result);
  const readsCookies = input.sanitize !== false && /cookie/i.test(input.expression);
  const masked = readsCookies ? await maskCookies(text, tab, limits) : text;
  const told = cutBytes(shown(masked), input.max_output_size);
  return { type: result.subtype ?? result.type, ...told, ...valueIn(told, result, input) };
}

/** The value with its type again, from the text, in which secrets are masked. */
function valueIn(
  { text, cutFrom }: Pick<EvaluateResult, 'text' | 'cutFrom'>,
  { type }: Protocol.Runtime.RemoteObject,
  { return_by_value: isByValue }: EvaluateInput,
): Pick<EvaluateResult, 'value'> {
  if (cutFrom !== undefined || isByValue === false) return {};
  if (type === 'string') return { value: text };
  if (type !== 'number' && type !== 'boolean' && type !== 'object') return {};
  try {
    return { value: JSON.parse(text) };
  } catch {
    return {}; // NaN, an element or what else JSON does not know: its text says what it is
  }
}

/** One script of the caller under way: in a frame, or with elements as arguments in the frame of those. */
class PageScript {
  /** The session of the process in which the script runs. */
  #cdp: CdpSession;

  constructor(
    readonly tab: Tab,
    readonly input: EvaluateInput,
    readonly limits: Limits,
  ) {
    this.#cdp = tab.main;
  }

  async run(): Promise<Protocol.Runtime.EvaluateResponse> {
    const { tab, input, limits } = this;
    const place = tab.frames.byNumber(input.frameId ?? 0, limits);
    this.#cdp = place.cdp;
    const awaitPromise = input.await_promise !== false;
    try {
      const answer = await this.#send('Runtime.evaluate', {
        ...scriptOf(input.expression, input.args),
        ...defined({ contextId: worldOf(place, limits) }),
        awaitPromise,
        userGesture: true,
        // Chrome itself stops a script that runs on; a little before the call's own time is over.
        timeout: Math.max(1, remaining(limits) - 100),
      });
      const { subtype, objectId: promiseObjectId } = answer.result;
      // Chrome itself does not await the value of statements.
      if (!awaitPromise || subtype !== 'promise' || promiseObjectId === undefined) return answer;
      return await this.#send('Runtime.awaitPromise', { promiseObjectId });
    } catch (error) {
      // Chrome's error for a script that it stopped.
      if (error instanceof CdpError && error.message === 'Internal error') throw stopped();
      throw error;
    }
  }

  /** Calls the expression as a function with the elements, in the page's own script world: it may call what the page has put there. */
  async callWith(selectors: readonly string[]): Promise<Protocol.Runtime.CallFunctionOnResponse> {
    const { tab, input, limits } = this;
    const args = written(input.args ?? []);
    const found: Element[] = [];
    for (const selector of selectors) found.push(await resolve(tab, { selector, frameId: input.frameId }, limits));
    const { cdp, frame } = frameOf(found);
    this.#cdp = cdp;
    const objects: Protocol.Runtime.CallArgument[] = [];
    for (const element of found) objects.push({ objectId: await element.objectIn(cdp.worlds.get(frame)) });
    return this.#send('Runtime.callFunctionOn', {
      functionDeclaration: `async function(...elements) {
      const value = (${input.expression}
      );
      return typeof value === 'function' ? value(...elements, ...${args}) : value;
    }`,
      arguments: objects,
      objectId: objects[0]?.objectId ?? '',
      awaitPromise: input.await_promise !== false,
      userGesture: true,
    });
  }

  async textOf(value: Protocol.Runtime.RemoteObject): Promise<string> {
    const { type, subtype = '', objectId } = value;
    if (objectId === undefined) {
      if (value.unserializableValue !== undefined) return value.unserializableValue;
      return typeof value.value === 'string' ? value.value : String(JSON.stringify(value.value));
    }
    if (type === 'function' || type === 'symbol' || OPAQUE.has(subtype)) return describe(value);
    const { result, exceptionDetails } = await this.#send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: SERIALISE,
      returnByValue: true,
    });
    void this.#cdp.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    return exceptionDetails || typeof result.value !== 'string' ? describe(value) : result.value;
  }

  #send<M extends keyof CdpCommands>(
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    return this.tab.send(this.limits, this.#cdp, method, ...params);
  }
}

/** A script cannot hold elements of two documents that may not know each other. */
function frameOf(found: readonly Element[]): ElementLocation {
  const [first, ...rest] = found.map(({ location }) => location);
  if (!first) throw new Failure('bad_input', 'There are no elements.', 'Give some, or leave them out.');
  if (rest.some(({ frame }) => frame !== first.frame))
    throw new Failure('bad_input', 'The elements stand in different frames.', 'Give those of one frame at a time.');
  return first;
}

const stopped = (): Failure =>
  new Failure('timeout', 'The script did not end in time and was stopped.', phrase`Make it shorter${OR_MORE_TIME}.`);

const parses = (source: string): boolean => {
  try {
    new Script(source);
    return true;
  } catch {
    return false;
  }
};

function written(args: unknown[]): string {
  try {
    return JSON.stringify(args);
  } catch (cause) {
    throw new Failure(
      'bad_input',
      'args: they are nested too deeply to be sent to the page.',
      'Send them as one JSON text and parse it there.',
      { cause },
    );
  }
}

/** An expression, a function to call, the body of a function (it says `return`), or plain statements. */
export function scriptOf(source: string, args: unknown[] = []): { expression: string; replMode?: boolean } {
  const given = written(args);
  // Without await in it the wrapper stays synchronous, so that await_promise: false shows a promise as such.
  const kind = /\bawait\b/.test(source) ? 'async ' : '';
  if (parses(`(async () => (${source}\n))`))
    return {
      expression: `(${kind}args => { const value = (${source}\n); return typeof value === 'function' ? value(...args) : value; })(${given})`,
    };
  // Statements, of which the last gives the value: Chrome lets them await, but not return.
  if (parses(source) || (kind !== '' && !/\breturn\b/.test(source)))
    // In a block of their own, so that args is no variable of the page.
    return { expression: args.length === 0 ? source : `{ const args = ${given};\n${source}\n}`, replMode: true };
  return { expression: `(async (...args) => { ${source}\n})(...${given})` };
}

function thrown(details: Protocol.Runtime.ExceptionDetails, shown: (text: string) => string): Failure {
  const text =
    details.exception?.description ??
    (details.exception?.value === undefined ? details.text : String(details.exception.value));
  if (/execution was terminated|Script execution timed out/i.test(text + details.text)) return stopped();
  const lines = text.split('\n').filter(line => !/^\s+at .*(<anonymous>|async)/.test(line) || /:\d+:\d+/.test(line));
  return new Failure(
    'script_error',
    `The script threw: ${shown(lines.slice(0, 3).join('\n')).slice(0, 500)}`,
    'Mend the script.',
  );
}

/** Objects whose contents a script cannot list. */
const OPAQUE = new Set(['promise', 'proxy', 'weakmap', 'weakset', 'generator', 'iterator']);

const describe = (value: Protocol.Runtime.RemoteObject): string =>
  value.description ?? value.unserializableValue ?? String(value.value);

/** Written in the page, so that elements, maps, dates and circles become readable. */
const SERIALISE = `function() {
  const seen = new WeakSet();
  const element = el => '<' + el.localName + (el.id ? '#' + el.id : '') + '>';
  return JSON.stringify(this, function(key, value) {
    const raw = this[key];
    if (raw instanceof Date) return value;
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value === 'function') return 'function ' + value.name;
    if (typeof value === 'symbol') return String(value);
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof Node) return value instanceof Element ? element(value) : value.nodeName;
    if (value === window) return '[window]';
    if (seen.has(value)) return '[seen above]';
    seen.add(value);
    if (value instanceof Error) return value.name + ': ' + value.message;
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set || value instanceof NodeList || value instanceof HTMLCollection) return [...value];
    if (value instanceof DOMRectReadOnly || value instanceof RegExp || value instanceof URL) return value instanceof DOMRectReadOnly ? value.toJSON() : String(value);
    return value;
  });
}`;

/** Cut by bytes, never inside a character. */
function cutBytes(text: string, most: number): { text: string; cutFrom?: number } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return { text };
  return {
    text: Buffer.from(text)
      .subarray(0, most)
      .toString('utf8')
      .replace(/\uFFFD+$/, ''),
    cutFrom: bytes,
  };
}
