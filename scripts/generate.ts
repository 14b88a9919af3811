// Writes docs/tools.md, options.md, errors.md, capabilities.md and a page for each dialect out of the tables; with --check it only tells whether they are up to date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { BRIDGE_TOOLS } from '../src/bridge/tools/index.ts';
import type { BridgeTool } from '../src/bridge/tools/tool.ts';
import { defaultTextOf } from '../src/config/help.ts';
import { envOf, flagOf, OPTIONS, optionKeys, optionOf, SECTIONS } from '../src/config/options.ts';
import { API, CATEGORIES } from '../src/dialects/browsion/routes.ts';
import { toolsOf } from '../src/dialects/decode.ts';
import type { DialectDefinition, DialectTool } from '../src/dialects/definition.ts';
import { definitionOf } from '../src/dialects/index.ts';
import { type DialectName, dialectNames, OLD_NAMES } from '../src/dialects/registry.ts';
import { SETTINGS, VARIABLES } from '../src/dialects/vision/config-keys.ts';
import { CODES, type Code } from '../src/errors.ts';
import type { JsonSchema } from '../src/surfaces/listing/listing.ts';
import { type Parameter, parametersOf } from '../src/surfaces/listing/parameters.ts';
import { inputSchema } from '../src/surfaces/listing/schema.ts';
import { DOTLESS } from '../src/surfaces/listing/toolset.ts';
import { STATUS } from '../src/surfaces/rest/contract.ts';
import { GROUPS, TOOLS } from '../src/tools/index.ts';
import type { AnyTool } from '../src/tools/tool.ts';
import { capabilitiesPage } from './capabilities.ts';

const NOTE = '<!-- Written by `npm run docs`. Change the tables in src/, not this file. -->';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string): string => (text ? `\`${text}\`` : '');
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');

function parameters(schema: JsonSchema): string {
  const rows = parametersOf(schema, code).map(({ name, required, type, default: usual, meaning }) => [
    `${code(name)}${required ? ' (required)' : ''}`,
    type,
    code(usual ?? ''),
    meaning,
  ]);
  return rows.length ? table(['parameter', 'type', 'default', 'meaning'], rows) : 'No parameters.';
}

const MARKS = { read: 'reads', write: 'changes', danger: 'may change anything' } as const;

const choices = (oneOf: readonly (readonly string[])[] = []): string[] =>
  oneOf.map(names => `Give exactly one of ${names.map(code).join(', ')}.`);

function toolSection(tool: AnyTool): string {
  const marks = [MARKS[tool.effect as keyof typeof MARKS], tool.core ? 'core' : ''].filter(Boolean).join(', ');
  return [
    `### ${tool.name}`,
    `${tool.summary} *(${marks})*`,
    ...choices(tool.oneOf),
    parameters(inputSchema(tool.input)),
  ].join('\n\n');
}

function toolsPage(): string {
  const groups = GROUPS.map(group => ({ group, tools: TOOLS.filter(tool => tool.group === group) }));
  return [
    '# Tools',
    NOTE,
    `${TOOLS.length} tools. \`--tools core\` offers those marked core, \`--tools ${GROUPS[0]},${GROUPS[1]}\` whole groups, \`--tools all\` (the default) every one.`,
    ...groups
      .filter(({ tools }) => tools.length > 0)
      .map(({ group, tools }) => [`## ${group}`, ...tools.map(toolSection)].join('\n\n')),
  ].join('\n\n');
}

function optionRow(key: (typeof optionKeys)[number]): string[] {
  const row = optionOf(key);
  const flag = row.kind.value ? `${flagOf(key)} <${row.kind.value}>` : flagOf(key);
  const shown = defaultTextOf(row);
  return [code(flag), code(envOf(key)), row.defaultText ?? code(shown), row.help];
}

const trustedKeys = (): string[] => optionKeys.filter(key => optionOf(key).trusted).map(code);

const optionsPage = (): string =>
  [
    '# Options',
    NOTE,
    'Each option is a flag, an environment variable and a key of the config file: `--max-chars`, `TABWRIGHT_MAX_CHARS`, `maxChars` (or `max-chars`). Flags win over the environment, the environment over the file, and all of them over the defaults. `tabwright config --show` prints every value and where it comes from. [Configuration](configuration.md) tells about the file.',
    'A value that cannot be right, an unknown flag or key, or a broken file stops the start with one line on stderr and exit code 2; what could not be done ends with exit code 1.',
    'A switch is turned off with `--no-<name>` or `--<name>=false`, and set in the environment with `true` or `false`. Several Chrome switches in one environment variable are separated by spaces.',
    `A config file that lies in the working folder may not say ${trustedKeys().join(', ')}: they choose what runs on the machine or who may reach it.`,
    ...SECTIONS.map(section => {
      const keys = optionKeys.filter(key => OPTIONS[key].section === section);
      return `## ${section}\n\n${table(['flag', 'environment', 'default', 'meaning'], keys.map(optionRow))}`;
    }),
  ].join('\n\n');

const errorsPage = (): string =>
  [
    '# Errors',
    NOTE,
    'A call that fails answers with what happened, why, and what to try next. The code is stable; the words may improve. Over [REST](rest.md) each has an HTTP status.',
    table(
      ['code', 'REST', 'meaning'],
      Object.entries(CODES).map(([name, meaning]) => [code(name), String(STATUS[name as Code]), meaning]),
    ),
  ].join('\n\n');

/** What becomes of the arguments that ours have no place for. */
const fates = ({ ignored = {}, refused = {} }: DialectTool): string =>
  [
    ...Object.entries(ignored).map(([name, why]) => `${code(name)} is ignored: ${why}.`),
    ...Object.entries(refused).map(([name, why]) => `${code(name)} is refused: ${why}.`),
  ].join(' ');

const oldNamesPage = ({ tools }: DialectDefinition): string =>
  [
    '# Old names',
    NOTE,
    'The `chrome_…` tools with their old arguments are still accepted wherever a tool is called. `--dialect chrome` lists them instead of ours, and answers in their terms: refs such as `ref_12`, hints that name the old tools. Arguments of our tools may be given with them.',
    table(
      ['old name', 'done by', 'arguments', 'without a counterpart'],
      Object.entries(tools).map(([name, tool]) => [
        code(name),
        toolsOf(tool).map(code).join(', '),
        Object.keys(tool.arguments).map(code).join(', '),
        fates(tool),
      ]),
    ),
  ].join('\n\n');

const dialectTool = ([name, { summary, arguments: properties, required = [] }]: [string, DialectTool]): string =>
  [`### ${name}`, summary, parameters({ properties, required })].join('\n\n');

const dialectTools = ({ tools }: DialectDefinition): string[] =>
  Object.entries(tools)
    .filter(([, { unlisted }]) => !unlisted)
    .map(dialectTool);

const dialectHead = (name: string): string[] => [
  `# Tools of the dialect ${name}`,
  NOTE,
  `The guide is [${name}.md](${name}.md).`,
];

const visionKeys = (): string[][] =>
  Object.entries(SETTINGS).map(([key, { option, partOf, kind, refuse }]) => [
    code(`mcp.browser.${key}`),
    kind.expected,
    option
      ? code(flagOf(option))
      : partOf
        ? `${code(flagOf(partOf))}, together with others`
        : refuse
          ? 'checked only'
          : '',
  ]);

const visionPage = (definition: DialectDefinition): string =>
  [
    ...dialectHead('vision'),
    '## Tools',
    ...dialectTools(definition),
    '## Keys of ~/.clawtopus/config.yaml',
    table(['key', 'value', 'sets'], visionKeys()),
    '## Variables',
    table(
      ['variable', 'sets'],
      Object.entries(VARIABLES).map(([name, key]) => [code(name), code(flagOf(key))]),
    ),
    '## Clients that are shown names without dots',
    'By the name that a client gives itself.',
    table(
      ['name', 'why'],
      DOTLESS.map(({ name, why }) => [code(String(name)), `${why}.`]),
    ),
  ].join('\n\n');

/** `selector*`, `delay_ms=50`: required, and with what is meant when it is left out. */
const browsionArgument = ({ name, required, default: usual }: Parameter): string =>
  code(`${name}${required ? '*' : ''}${usual === undefined ? '' : `=${usual.replaceAll('"', '')}`}`);

const browsionTool = ([name, tool]: [string, DialectTool]): string[] => [
  code(name),
  (API[name]?.routes ?? []).map(({ method, path }) => code(`${method} ${path}`)).join(', '),
  parametersOf({ properties: tool.arguments, required: [...(tool.required ?? [])] })
    .filter(argument => argument.name !== 'profile_id')
    .map(browsionArgument)
    .join(' '),
  tool.summary,
];

function browsionPage({ tools }: DialectDefinition): string {
  const inCategory = (category: string) =>
    Object.entries(tools).filter(([name, { unlisted }]) => API[name]?.category === category && !unlisted);
  return [
    '# Tools and paths of the dialect browsion',
    NOTE,
    'The guide is [browsion.md](browsion.md). Arguments with a star are required. Those in a path stand there, those of a GET in the query, all others in a JSON body; a DELETE takes both. `:profile_id` is an argument of the tool.',
    ...CATEGORIES.map(category =>
      [
        `## ${category}`,
        table(['tool', 'path', 'arguments', 'what it does'], inCategory(category).map(browsionTool)),
      ].join('\n\n'),
    ),
    '## Health',
    'GET `/api/health` answers `ok` to everybody.',
  ].join('\n\n');
}

const bridgeTool = ({ name, summary, oneOf, input }: BridgeTool): string =>
  [`### ${name}`, summary, ...choices(oneOf), parameters(inputSchema(input))].join('\n\n');

const bridgePage = (): string =>
  [
    '# Tools of the agent-browser bridge',
    NOTE,
    'The guide is [agent-browser.md](agent-browser.md); it also tells the arguments that every tool takes.',
    ...BRIDGE_TOOLS.map(bridgeTool),
  ].join('\n\n');

/** Pages of dialects that tell more than the tools. */
const OWN_PAGES: Partial<Record<DialectName, (definition: DialectDefinition) => string>> = {
  chrome: oldNamesPage,
  vision: visionPage,
  browsion: browsionPage,
};

async function dialectPage(name: DialectName): Promise<[path: string, page: string]> {
  const definition = await definitionOf(name);
  if (!definition) throw new Error(`the dialect ${name} has no definition`);
  const page = OWN_PAGES[name]?.(definition) ?? [...dialectHead(name), ...dialectTools(definition)].join('\n\n');
  return [name === OLD_NAMES ? 'docs/old-names.md' : `docs/${name}-tools.md`, page];
}

const pages = {
  'docs/tools.md': toolsPage(),
  'docs/options.md': optionsPage(),
  'docs/errors.md': errorsPage(),
  'docs/capabilities.md': capabilitiesPage(NOTE),
  'docs/agent-browser-tools.md': bridgePage(),
  ...Object.fromEntries(await Promise.all(dialectNames.map(dialectPage))),
};
const stale: string[] = [];
for (const [path, page] of Object.entries(pages)) {
  const old = await readFile(path, 'utf8').catch(() => '');
  if (old !== `${page}\n`) stale.push(path);
}
if (process.argv.includes('--check')) {
  if (stale.length) console.error(`Not up to date: ${stale.join(', ')}. Run: npm run docs`);
  process.exitCode = stale.length ? 1 : 0;
} else {
  await mkdir('docs', { recursive: true });
  for (const [path, page] of Object.entries(pages)) await writeFile(path, `${page}\n`);
  console.log(stale.length ? `wrote ${stale.join(', ')}` : 'docs were up to date');
}
