// `tabwright tools`: the list of tools, or all about one.
import type { Listed } from '../listing/listing.ts';
import { type Parameter, parametersOf } from '../listing/parameters.ts';
import { ALIASES } from '../listing/tool-words.ts';
import { examplesOf } from './call/example.ts';
import { findTool, offeredTools } from './call/find-tool.ts';
import { positionalsOf, usageOf } from './call/positionals.ts';
import type { Run } from './command.ts';
import { cut, paint, print, toJson, widthOf, wrap } from './output/terminal.ts';

interface Look {
  width: number;
  /** Longest line of the list: in a pipe the whole of it, for a search. */
  longest: number;
  bold(text: string): string;
}

export const run: Run = async ({ words: [name], flags, options }) => {
  const width = widthOf(process.stdout);
  const longest = process.stdout.isTTY ? width : Number.POSITIVE_INFINITY;
  const look = { width, longest, bold: paint(process.stdout).bold };
  const isJson = flags['--json'] === true;
  // A reader that has seen enough, such as head, is no fault.
  process.stdout.on('error', () => undefined);
  if (name === undefined) {
    const tools = await offeredTools(options);
    print(isJson ? toJson(tools.map(({ tool }) => tool)) : overview(tools, look));
  } else {
    const listed = await findTool(name, options);
    print(isJson ? toJson(listed.tool) : explain(listed, look));
  }
  return 0;
};

/** What `tabwright TOOL --help` prints. */
export async function helpOf(word: string): Promise<string> {
  const listed = await findTool(ALIASES[word] ?? word, { dialect: 'native', tools: ['all'] });
  return explain(listed, {
    width: widthOf(process.stdout),
    longest: Number.POSITIVE_INFINITY,
    bold: paint(process.stdout).bold,
  });
}

/** One line per tool, below the name of its group. */
export function overview(tools: readonly Listed[], { longest, bold }: Look): string {
  const column = Math.max(...tools.map(({ tool }) => tool.name.length)) + 4;
  const line = ({ tool }: Listed) => cut(`  ${tool.name}`.padEnd(column) + tool.description, longest);
  const groups = [...new Set(tools.map(({ group }) => group))].map(name => {
    const lines = tools.filter(({ group }) => group === name).map(line);
    return [bold(name), ...lines].join('\n');
  });
  return [...groups, 'About one tool: tabwright tools NAME'].join('\n\n');
}

export function explain(listed: Listed, { width, bold }: Look): string {
  const { tool, group, core, oneOf = [] } = listed;
  const parameters = parametersOf(tool.inputSchema);
  const column = Math.max(0, ...parameters.map(({ name }) => name.length)) + 4;
  const line = (parameter: Parameter) => wrap(about(parameter), width, `  ${parameter.name}`.padEnd(column));
  return [
    bold(tool.name) + wrap(`${tool.name}: ${tool.description}`, width).slice(tool.name.length),
    `Group ${group}${core ? ', also in --tools core' : ''}.`,
    [`Usage: ${usageOf(listed)}`, ...howPlain(listed)].join('\n'),
    ...(parameters.length > 0 ? [parameters.map(line).join('\n')] : []),
    ...oneOf.map(names => `Give exactly one of ${names.join(', ')}.`),
    ['Examples:', ...examplesOf(listed).map(example => `  ${example}`)].join('\n'),
  ].join('\n\n');
}

function howPlain(listed: Listed): string[] {
  const positionals = positionalsOf(listed);
  const isFree = positionals.length > 1 && !positionals.some(({ needed }) => needed);
  return isFree
    ? ['Each plain word goes to the first of these that it fits: one of its values, a number, any text.']
    : [];
}

function about({ type, required, default: usual, meaning }: Parameter): string {
  const facts = [type, ...(required ? ['required'] : []), ...(usual === undefined ? [] : [`default ${usual}`])];
  return [facts.join(', '), meaning].filter(Boolean).join('. ');
}
