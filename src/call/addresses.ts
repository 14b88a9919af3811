// Which addresses a call may touch by the preset of its dialect. What the browser may reach at all is decided below the page.
import type { Options } from '../config/options.ts';
import { DIALECTS } from '../dialects/index.ts';
import { refusedBy } from '../errors.ts';
import { compilePatterns, type Patterns } from '../policy/patterns.ts';
import type { Server } from '../session/server.ts';
import type { AnyTool } from '../tools/tool.ts';
import { touchesOf } from '../tools/touches.ts';
import type { Call } from './message.ts';
import type { Input } from './validate.ts';

const compiled = new WeakMap<readonly string[], Patterns>();

function patternsOf(texts: readonly string[]): Patterns {
  const known = compiled.get(texts) ?? compilePatterns(texts);
  compiled.set(texts, known);
  return known;
}

/** Before the call: the urls in its arguments, those without a host too, because a page can stand in them. */
export function checkAddresses({ dialect = 'native' }: Call, { options }: Server, tool: AnyTool, input: Input): void {
  const allowed = allowedIn(dialect, options);
  if (!allowed) return;
  for (const url of touchesOf(tool.input, input).urls) check(url, allowed, dialect);
}

/** A server that was started for the dialect has the preset among its options, where it can be changed. */
const allowedIn = (dialect: string, options: Options): readonly string[] | undefined =>
  dialect === options.dialect && DIALECTS[dialect]?.preset ? options.allowUrls : DIALECTS[dialect]?.preset?.allowUrls;

/** Before it acts on a page, which may have gone elsewhere by itself; one that it leaves is no matter. */
export function checkPage(
  { dialect = 'native' }: Call,
  { options }: Server,
  tool: AnyTool,
  input: Input,
  url = '',
): void {
  const allowed = allowedIn(dialect, options);
  // A browser of the dialect's own server cannot get there; one that somebody else started can.
  const isHeldBelow = dialect === options.dialect && options.cdpEndpoint === undefined;
  if (!allowed || isHeldBelow || !/^https?:/i.test(url)) return;
  if (!touchesOf(tool.input, input).elsewhere) check(url, allowed, dialect);
}

function check(url: string, allowed: readonly string[], dialect: string): void {
  const isNowhere = url === '' || /^about:blank(?:[?#]|$)/i.test(url);
  if (isNowhere || allowed.length === 0 || patternsOf(allowed).covers(url) !== undefined) return;
  const rule = `urls of the dialect ${dialect}`;
  throw refusedBy(
    rule,
    `URL not allowed: ${url.length > 200 ? `${url.slice(0, 199)}…` : url}`,
    `Rule "${rule}" allows only ${allowed.join(', ')}. Use another url.`,
  );
}
