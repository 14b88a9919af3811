// One page of a trace, and how its times, elements, URLs and functions are written.
import type { Handlers, Insights, Types } from '@paulirish/trace_engine';

export type TraceData = Handlers.Types.HandlerData;
export type InsightSet = Insights.Types.InsightSet;
export type TracedRequest = Types.Events.SyntheticNetworkRequest;
type Micro = Types.Timing.Micro;

const MOST_URL = 150;
const MOST_NAME = 80;

export class TracedPage {
  readonly #names: ReadonlyMap<number, string>;

  constructor(
    readonly data: TraceData,
    readonly set: InsightSet,
    names: ReadonlyMap<number, string>,
  ) {
    this.#names = names;
  }

  /** Ms since the load of the page began, or since the start of the trace. */
  at(ts: number): number {
    return ms(ts - (this.set.navigation?.ts ?? this.set.bounds.min));
  }

  element(id: number | undefined, name?: string): string | undefined {
    const known = name ?? this.#names.get(id ?? -1);
    return known === undefined ? undefined : selectorOf(known);
  }

  /** Without the page's own origin, and cut: data URLs may hold whole files. */
  url(url: string): string {
    const { origin } = this.set.url;
    const short = origin !== 'null' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    return cut(short, MOST_URL);
  }

  /** `busy (/app.js:12:4)`. Lines and columns count from 1, as in an editor. */
  frame(frame: { functionName?: string; url?: string; lineNumber?: number; columnNumber?: number }): string {
    const { url = '', lineNumber = -1, columnNumber = -1 } = frame;
    const name = cut(frame.functionName || 'anonymous function', MOST_NAME);
    if (url === '') return name;
    const position = lineNumber < 0 ? '' : `:${lineNumber + 1}${columnNumber < 0 ? '' : `:${columnNumber + 1}`}`;
    return `${name} (${this.url(url)}${position})`;
  }
}

/** Microseconds as whole ms. */
export const ms = (micro: Micro | number): number => Math.round(micro / 1_000);

export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Chrome writes `IMG id='hero' class='big wide'`; tools take the selector `img#hero.big.wide`. */
function selectorOf(name: string): string {
  const [, tag = name, id, classes] = /^(\S+)(?: id='([^']*)')?(?: class='([^']*)')?/.exec(name) ?? [];
  const dots = classes ? `.${classes.trim().split(/\s+/).join('.')}` : '';
  return cut(`${tag.toLowerCase()}${id ? `#${id}` : ''}${dots}`, MOST_NAME);
}

/** The names of elements by node id, from all events that have one. */
export function namesIn(events: readonly Types.Events.Event[]): Map<number, string> {
  const names = new Map<number, string>();
  for (const { args } of events) {
    const { nodeId, nodeName } = (args?.data ?? {}) as { nodeId?: unknown; nodeName?: unknown };
    if (typeof nodeId === 'number' && typeof nodeName === 'string' && !nodeName.startsWith('#'))
      names.set(nodeId, nodeName);
  }
  return names;
}
