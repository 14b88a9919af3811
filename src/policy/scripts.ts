// Which scripts of callers may run in a page: none, or those without the blocked patterns. Only a filter: a script has many spellings.
import { type Failure, refusedBy } from '../errors.ts';
import { search, type TextMatch } from './safe-regex.ts';

export interface ScriptRules {
  /** False: callers run no scripts at all. */
  allowed: boolean;
  blocked: readonly RegExp[];
}

/** A longer script cannot be looked through in time, so it is refused when there is anything to look for. */
const LONGEST = 200_000;
/** For all patterns and scripts of one call. */
const MOST_MS = 1_000;

export const scriptRules = (allowed: boolean, patterns: readonly string[]): ScriptRules => ({
  allowed,
  blocked: patterns.map(pattern => new RegExp(pattern)),
});

/** Throws a Failure that names the rule when one of the scripts may not run. */
export function checkScripts(tool: string, scripts: readonly string[], { allowed, blocked }: ScriptRules): void {
  if (scripts.length === 0) return;
  if (!allowed)
    throw refusedBy(
      'no scripts',
      `${tool} is refused: rule "no scripts" (this server runs no scripts of callers).`,
      'Use the tools that act and read without a script, such as snapshot, read, click and fill.',
    );
  if (blocked.length === 0) return;
  const refusal = scripts.some(({ length }) => length > LONGEST) ? tooLong() : blockedIn(scripts, blocked);
  if (refusal) throw refusal;
}

function blockedIn(scripts: readonly string[], blocked: readonly RegExp[]): Failure | undefined {
  const texts = scripts.flatMap(script => [script, unescaped(script)]);
  let found: (TextMatch | undefined)[][];
  try {
    found = search(blocked, texts, MOST_MS);
  } catch (cause) {
    return refusedBy(
      'blocked script patterns',
      `The script could not be checked within ${MOST_MS} ms: rule "blocked script patterns".`,
      'Send a shorter script.',
      { cause },
    );
  }
  const pattern = blocked[found.findIndex(matches => matches.some(Boolean))];
  return pattern && hit(pattern.source);
}

const hit = (pattern: string): Failure =>
  refusedBy(
    `blocked script pattern ${pattern}`,
    `Script contains blocked patterns: ${pattern}`,
    'Leave that out, or use a tool that does it without a script.',
  );

const tooLong = (): Failure =>
  refusedBy(
    'blocked script patterns',
    `The script has more than ${LONGEST} characters, too many to be checked: rule "blocked script patterns".`,
    'Send a shorter script.',
  );

/** JavaScript reads \u0065val as eval. */
const unescaped = (script: string): string =>
  script.replace(/\\u(?:\{([0-9a-f]{1,6})\}|([0-9a-f]{4}))|\\x([0-9a-f]{2})/gi, (whole, ...codes: string[]) => {
    const code = Number.parseInt(codes.find(Boolean) ?? '', 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });

/** Pictures and plain text run nothing. */
const HARMLESS = /^data:(?:image\/(?!svg)|audio\/|video\/|text\/plain\b|application\/(?:pdf|json)\b|[;,])/i;

/** The document in a data: url, which may hold a script of the caller; undefined when the url can hold none. */
export function scriptInUrl(url: string): string | undefined {
  if (!/^data:/i.test(url) || HARMLESS.test(url)) return undefined;
  const [, head = '', body = ''] = /^data:([^,]*),?(.*)$/is.exec(url) ?? [];
  const text = body.replace(/(?:%[0-9a-f]{2})+/gi, signs => Buffer.from(signs.replaceAll('%', ''), 'hex').toString());
  return /;\s*base64\s*$/i.test(head) ? Buffer.from(text, 'base64').toString() : text;
}
