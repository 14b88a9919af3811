// Url patterns of callers: with * and **, a regular expression between slashes, or a part of the url. None can stop the server.
import { Failure } from '../errors.ts';
import { compileRegex, isTimeout, regexLiteral, search } from './safe-regex.ts';

/** What is behind it in a longer url (data: urls have megabytes) is not compared. */
const LONGEST_URL = 10_000;
/** The time that one pattern may take in a while; only comparisons that take longer than QUICK_MS are counted. */
const MOST_MS = 250;
const WHILE_MS = 10_000;
const QUICK_MS = 1;

/** The url that the pattern begins with, as far as it names scheme and host; rules judge the pattern by it. */
export function urlBefore(pattern: string): string | undefined {
  const [, plain, rest] = /^((?:https?|wss?):\/\/[^/*?#]+)([^*]*)/i.exec(pattern) ?? [];
  const isWhole = plain !== undefined && (plain.length === pattern.length || /^[/?#]/.test(rest ?? ''));
  return isWhole && URL.canParse(plain + rest) ? plain + rest : undefined;
}

/** Throws a Failure when the pattern takes too long; with tooSlow, that gets the failure and nothing matches from then on. */
export function urlMatcher(pattern: string, tooSlow?: (failure: Failure) => void): (url: string) => boolean {
  const compare = comparison(pattern);
  let since = 0;
  let spent = 0;
  let failure: Failure | undefined;
  return url => {
    if (failure && tooSlow) return false;
    const started = performance.now();
    if (started - since > WHILE_MS) [since, spent] = [started, 0];
    try {
      const left = Math.ceil(MOST_MS - spent);
      if (left > 0) return compare(url.slice(0, LONGEST_URL), left);
    } catch (cause) {
      if (!isTimeout(cause)) throw cause;
    } finally {
      const ms = performance.now() - started;
      if (ms > QUICK_MS) spent += ms;
    }
    failure = slow(pattern);
    if (!tooSlow) throw failure;
    tooSlow(failure);
    return false;
  };
}

const quoted = (pattern: string): string => JSON.stringify(pattern.slice(0, 100));

const slow = (pattern: string): Failure =>
  new Failure(
    'bad_input',
    `The pattern ${quoted(pattern)} takes too long.`,
    'Write a simpler one, without repetitions inside repetitions.',
  );

type Comparison = (url: string, ms: number) => boolean;

function comparison(pattern: string): Comparison {
  const literal = regexLiteral(pattern);
  if (literal) {
    const hint = 'Mend it, or leave the slashes out to match plain text.';
    const regex = compileRegex(() => new RegExp(literal.source, literal.flags), quoted(pattern), hint);
    return (url, ms) => search([regex], [url], ms)[0]?.[0] !== undefined;
  }
  if (!pattern.includes('*')) return url => url.includes(pattern);
  const matches = starMatcher(pattern.split(/\*+/));
  // **/dashboard/** also means the dashboard itself.
  return url => matches(url) || matches(`${url}/`);
}

/** Of what stands between stars, each for anything: every part where it first occurs behind the one before leaves the most for the others, so nothing is tried twice. */
function starMatcher([first = '', ...others]: string[]): (text: string) => boolean {
  const last = others.pop() ?? '';
  return text => {
    let at = text.startsWith(first) ? first.length : -1;
    for (const part of others) {
      if (at < 0) return false;
      const found = text.indexOf(part, at);
      at = found < 0 ? -1 : found + part.length;
    }
    return at >= 0 && text.length - last.length >= at && text.endsWith(last);
  };
}
