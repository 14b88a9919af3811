// Writes docs/tools.md, options.md and errors.md out of the tables; with --check it only tells whether they are up to date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { shownDefault } from '../src/config/help.ts';
import { envOf, flagOf, OPTIONS, type Option, optionKeys, SECTIONS } from '../src/config/options.ts';
import { CODES } from '../src/errors.ts';
import type { JsonSchema } from '../src/surfaces/listing.ts';
import { inputSchema } from '../src/surfaces/schema.ts';
import { TOOLS } from '../src/tools/index.ts';
import { type AnyTool, GROUPS } from '../src/tools/tool.ts';

const NOTE = '<!-- Written by `npm run docs`. Change the tables in src/, not this file. -->';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string): string => (text ? `\`${text}\`` : '');
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');

const asSchemas = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value : []);

/** Arguments that many tools share: the listing stays short, the docs say it each time. */
const SHARED: Record<string, string> = {
  selector: 'Ref (@e5), role:button, text:Save, label:Email, CSS or xpath=…',
  tabId: 'Which tab; the active one if left out',
  frameId: 'Which frame; the main one, 0, if left out',
  windowId: 'Which window',
  timeout: 'Most time for the call, in ms',
  wait_until: 'When the page counts as loaded',
  modifiers: 'Keys that are held down',
  coordinates: 'A point of the viewport, in CSS pixels',
  max_chars: 'Longest answer, in characters',
  force: 'Skip the checks whether a person could do it',
};

/** The type of an argument, in the words of JSON. */
function typeOf(schema: JsonSchema): string {
  const members = [...asSchemas(schema.anyOf), ...asSchemas(schema.oneOf)];
  if (members.length) return members.map(typeOf).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map(value => code(JSON.stringify(value))).join(', ');
  if ('const' in schema) return code(JSON.stringify(schema.const));
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  if (schema.type === 'object' && schema.properties)
    return code(`{${Object.keys(schema.properties as JsonSchema).join(', ')}}`);
  return [schema.type ?? 'any'].flat().join(' or ');
}

function parameters(tool: AnyTool): string {
  const { properties = {}, required = [] } = inputSchema(tool.input) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const rows = Object.entries(properties).map(([name, schema]) => [
    `${code(name)}${required.includes(name) ? ' (required)' : ''}`,
    typeOf(schema),
    'default' in schema ? code(JSON.stringify(schema.default)) : '',
    String(schema.description ?? SHARED[name] ?? ''),
  ]);
  return rows.length ? table(['parameter', 'type', 'default', 'meaning'], rows) : 'No parameters.';
}

const MARKS = { read: 'reads', write: 'changes', danger: 'may change anything' } as const;

function toolSection(tool: AnyTool): string {
  const marks = [MARKS[tool.effect as keyof typeof MARKS], tool.core ? 'core' : ''].filter(Boolean).join(', ');
  const rules = (tool.oneOf ?? []).map((names: string[]) => `Give exactly one of ${names.map(code).join(', ')}.`);
  return [`### ${tool.name}`, `${tool.summary} *(${marks})*`, ...rules, parameters(tool)].join('\n\n');
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
  const row: Option = OPTIONS[key];
  const flag = row.kind.value ? `${flagOf(key)} <${row.kind.value}>` : flagOf(key);
  const shown = shownDefault(row);
  return [code(flag), code(envOf(key)), row.defaultText ?? code(shown), row.help];
}

const optionsPage = (): string =>
  [
    '# Options',
    NOTE,
    'Each option is a flag and an environment variable. Flags win over the environment, and both win over the defaults. A value that cannot be right stops the start with one line on stderr and exit code 1.',
    'A switch is turned off with `--no-<name>` or `--<name>=false`, and set in the environment with `true` or `false`. Several Chrome switches in one environment variable are separated by spaces.',
    ...SECTIONS.map(section => {
      const keys = optionKeys.filter(key => OPTIONS[key].section === section);
      return `## ${section}\n\n${table(['flag', 'environment', 'default', 'meaning'], keys.map(optionRow))}`;
    }),
  ].join('\n\n');

const errorsPage = (): string =>
  [
    '# Errors',
    NOTE,
    'A call that fails answers with what happened, why, and what to try next. The code is stable; the words may improve.',
    table(
      ['code', 'meaning'],
      Object.entries(CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join('\n\n');

const pages = { 'docs/tools.md': toolsPage(), 'docs/options.md': optionsPage(), 'docs/errors.md': errorsPage() };
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
