// Evaluate: runs a caller's script in the page and brings its value back as text, bounded and with secrets masked.
import { Script } from 'node:vm';
import type { Protocol } from 'devtools-protocol';
import { Failure } from '../../errors.ts';
import { redact } from '../../policy/mask.ts';
import type { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import { type Limits, remaining } from '../limits.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

export interface EvaluateInput {
  expression: string;
  args?: unknown[] | undefined;
  /** Which elements a function is given, before the other arguments. */
  elements?: readonly string[] | undefined;
  await_promise?: boolean;
  return_by_value?: boolean;
  max_output_size?: number | undefined;
  sanitize?: boolean;
  frameId?: number | undefined;
}

export interface EvaluateResult {
  type: string;
  text: string;
  /** Bytes of the whole value, when it was cut. */
  cutFrom?: number;
}

export const MOST_BYTES = 51_200;
/** Room for saying that the value was cut. */
const CUT_WORDS = 100;

export async function evaluate(tab: Tab, input: EvaluateInput, limits: Limits): Promise<EvaluateResult> {
  await tab.readable(limits);
  tab.context.recentEvents.begin();
  const { elements = [], expression, args = [] } = input;
  const { wire, answer } =
    elements.length > 0
      ? await callWith(tab, { ...input, expression, elements, args: written(args) }, limits)
      : await evaluateIn(tab, input, limits);
  const shown = input.sanitize === false ? (text: string) => text : redact;
  if (answer.exceptionDetails) throw thrown(answer.exceptionDetails, shown);
  const text =
    input.return_by_value === false ? describe(answer.result) : await textOf(tab, wire, answer.result, limits);
  // Without a wish of the caller, it is also within what every answer may have.
  const most = input.max_output_size ?? Math.min(MOST_BYTES, tab.options.maxChars - CUT_WORDS);
  return { type: answer.result.subtype ?? answer.result.type, ...bounded(shown(text), most) };
}

async function evaluateIn(tab: Tab, input: EvaluateInput, limits: Limits): Promise<CallResult> {
  const { wire, id } = await tab.frames.byNumber(input.frameId ?? 0, limits);
  const contextId = wire.worlds.get(id);
  const answer = await run(tab, wire, limits, {
    ...scriptOf(input.expression, input.args),
    ...(contextId === undefined ? {} : { contextId }),
    awaitPromise: input.await_promise !== false,
    userGesture: true,
    // Chrome itself stops a script that runs on; a little before the call's own time is over.
    timeout: Math.max(1, remaining(limits) - 100),
  });
  return { wire, answer };
}

async function run(
  tab: Tab,
  wire: CdpSession,
  limits: Limits,
  ask: Protocol.Runtime.EvaluateRequest,
): Promise<Protocol.Runtime.EvaluateResponse> {
  try {
    const answer = await tab.send(limits, wire, 'Runtime.evaluate', ask);
    const { subtype, objectId: promiseObjectId } = answer.result;
    // Chrome itself does not await the value of statements.
    if (!ask.awaitPromise || subtype !== 'promise' || promiseObjectId === undefined) return answer;
    return await tab.send(limits, wire, 'Runtime.awaitPromise', { promiseObjectId });
  } catch (error) {
    // That is how Chrome says that it stopped the script.
    if (error instanceof CdpError && error.message === 'Internal error') throw stopped();
    throw error;
  }
}

const stopped = (): Failure =>
  new Failure(
    'timeout',
    'The script did not end in time and was stopped.',
    'Give a larger timeout, or make it shorter.',
  );

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

async function textOf(
  tab: Tab,
  wire: CdpSession,
  value: Protocol.Runtime.RemoteObject,
  limits: Limits,
): Promise<string> {
  if (value.objectId === undefined)
    return (
      value.unserializableValue ??
      (value.type === 'undefined'
        ? 'undefined'
        : typeof value.value === 'string'
          ? value.value
          : JSON.stringify(value.value))
    );
  if (value.type === 'function' || value.type === 'symbol' || OPAQUE.has(value.subtype ?? '')) return describe(value);
  const { result, exceptionDetails } = await tab.send(limits, wire, 'Runtime.callFunctionOn', {
    objectId: value.objectId,
    functionDeclaration: SERIALISE,
    returnByValue: true,
  });
  void wire.send('Runtime.releaseObject', { objectId: value.objectId }).catch(() => undefined);
  return exceptionDetails || typeof result.value !== 'string' ? describe(value) : result.value;
}

/** Cut by bytes, never inside a character. */
function bounded(text: string, most: number): { text: string; cutFrom?: number } {
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

interface Given {
  expression: string;
  elements: readonly string[];
  /** Further arguments, as JSON. */
  args: string;
  await_promise?: boolean;
  frameId?: number | undefined;
}

interface CallResult {
  wire: CdpSession;
  answer: Protocol.Runtime.CallFunctionOnResponse;
}

async function callWith(tab: Tab, given: Given, limits: Limits): Promise<CallResult> {
  const found: Element[] = [];
  for (const selector of given.elements) found.push(await resolve(tab, selector, given.frameId, limits));
  const { wire, frame } = inOneFrame(found);
  const context = wire.worlds.get(frame);
  const objects: Protocol.Runtime.CallArgument[] = [];
  for (const element of found) objects.push({ objectId: await objectIn(element, context, limits) });
  const answer = await tab.send(limits, wire, 'Runtime.callFunctionOn', {
    functionDeclaration: `async function(...elements) {
      const value = (${given.expression}
      );
      return typeof value === 'function' ? value(...elements, ...${given.args}) : value;
    }`,
    arguments: objects,
    objectId: objects[0]?.objectId ?? '',
    awaitPromise: given.await_promise !== false,
    userGesture: true,
  });
  return { wire, answer };
}

/** A script cannot hold elements of two documents that may not know each other. */
function inOneFrame(found: readonly Element[]): Element['location'] {
  const [first, ...rest] = found.map(({ location }) => location);
  if (!first) throw new Failure('bad_input', 'There are no elements.', 'Give some, or leave them out.');
  if (rest.some(({ frame }) => frame !== first.frame))
    throw new Failure('bad_input', 'The elements stand in different frames.', 'Give those of one frame at a time.');
  return first;
}

/** In the page's own script world: the function may call what the page has put there. */
async function objectIn(element: Element, context: number | undefined, limits: Limits): Promise<string> {
  const { wire, id: backendNodeId } = element.location;
  try {
    const world = context === undefined ? {} : { executionContextId: context };
    const { object } = await element.tab.send(limits, wire, 'DOM.resolveNode', { backendNodeId, ...world });
    if (object.objectId !== undefined) return object.objectId;
  } catch (error) {
    if (!(error instanceof CdpError && error.isGone)) throw error;
  }
  throw element.stale();
}
