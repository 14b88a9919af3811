// What a caller reads, in the words of its dialect: its own tools where ours are named, and its refs.
import type { Options } from '../config/options.ts';
import type { Args, Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { saying } from '../dialects/saying.ts';
import { refsInData, withNames, withRefs } from '../dialects/speech.ts';
import { spelledAs } from '../dialects/spelling.ts';
import { Failure } from '../errors.ts';
import { TOOLS } from '../tools/index.ts';
import type { AnyTool } from '../tools/tool.ts';
import { caused } from '../tools/words.ts';

interface Asked {
  name: string;
  dialect?: Options['dialect'];
}

/** Spelled as the caller spells names. */
function dialectOf({ name, dialect = 'native' }: Asked): Dialect | undefined {
  const own = DIALECTS[dialect];
  return own && spelledAs(own, name);
}

/** Groups and tools whose answers are what a page or a server said, word for word. */
const VERBATIM: readonly string[] = ['execution', 'network', 'storage', 'data', 'read'];

const isOurs = ({ group, name }: AnyTool): boolean => !VERBATIM.includes(group) && !VERBATIM.includes(name);

const OURS: ReadonlySet<string> = new Set(TOOLS.map(({ name }) => name));

export function sayFailure(asked: Asked, tool: AnyTool | undefined, failure: Failure): Failure {
  const { code, message, hint, rule } = failure;
  const isSelf = tool !== undefined && tool.name !== asked.name && new RegExp(`^${tool.name}(?=[: ])`).test(message);
  const own = isSelf ? asked.name + message.slice(tool.name.length) : message;
  const dialect = dialectOf(asked);
  if (!dialect) return own === message ? failure : new Failure(code, own, hint, { cause: failure, rule });
  const said = (text: string, ours?: typeof OURS) => withNames(dialect, withRefs(dialect, text), ours);
  const next = dialect.hints?.[code] ?? hint ?? '';
  return new Failure(code, said(own), said(withSession(dialect, next), OURS) || undefined, { cause: failure, rule });
}

/** Where a hint names the argument `session`. */
const withSession = ({ session }: Dialect, hint: string): string =>
  session === undefined ? hint : hint.replaceAll('"session"', JSON.stringify(session));

/** A dialect's own words for an answer, and what they are filled with. */
interface OwnWords {
  says: string | undefined;
  facts: Args;
}

export function sayText(asked: Asked, tool: AnyTool, text: string, own?: OwnWords): string {
  const dialect = dialectOf(asked);
  if (dialect && own?.says !== undefined)
    return saying(own.says, own.facts) + withNames(dialect, caused(own.facts), OURS);
  if (!dialect || !isOurs(tool)) return text;
  const said = withRefs(dialect, text);
  return tool.effect === 'read' ? said : withNames(dialect, said, OURS);
}

export function sayData(asked: Asked, tool: AnyTool, data: unknown): unknown {
  const dialect = dialectOf(asked);
  return dialect && isOurs(tool) ? refsInData(dialect, data) : data;
}
