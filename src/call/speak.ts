// What a caller reads, in the words of its dialect: its own tools where ours are named, and its refs.
import type { Options } from '../config/options.ts';
import { DIALECTS } from '../dialects/index.ts';
import { refsInData, withNames, withRefs } from '../dialects/speech.ts';
import { Failure } from '../errors.ts';
import type { AnyTool } from '../tools/tool.ts';

interface Asked {
  name: string;
  dialect?: Options['dialect'];
}

const dialectOf = ({ dialect = 'native' }: Asked) => DIALECTS[dialect];

/** Groups and tools whose answers are what a page or a server said, word for word. */
const VERBATIM: readonly string[] = ['execution', 'network', 'storage', 'data', 'read'];

const isOurs = ({ group, name }: AnyTool): boolean => !VERBATIM.includes(group) && !VERBATIM.includes(name);

export function sayFailure(asked: Asked, tool: AnyTool | undefined, failure: Failure): Failure {
  const { code, message, hint } = failure;
  const isSelf = tool !== undefined && tool.name !== asked.name && new RegExp(`^${tool.name}(?=[: ])`).test(message);
  const own = isSelf ? asked.name + message.slice(tool.name.length) : message;
  const dialect = dialectOf(asked);
  if (!dialect) return own === message ? failure : new Failure(code, own, hint, { cause: failure });
  const said = (text: string) => withNames(dialect, withRefs(dialect, text));
  return new Failure(code, said(own), hint === undefined ? hint : said(hint), { cause: failure });
}

export function sayText(asked: Asked, tool: AnyTool, text: string): string {
  const dialect = dialectOf(asked);
  if (!dialect || !isOurs(tool)) return text;
  const said = withRefs(dialect, text);
  return tool.effect === 'read' ? said : withNames(dialect, said);
}

export function sayData(asked: Asked, tool: AnyTool, data: unknown): unknown {
  const dialect = dialectOf(asked);
  return dialect && isOurs(tool) ? refsInData(dialect, data) : data;
}
