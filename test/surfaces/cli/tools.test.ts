// `tabwright tools`: the list and the page of one tool, for people and for programs.
import { afterAll, describe, expect, it } from 'vitest';
import { explain, overview } from '../../../src/surfaces/cli/tools.ts';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import { offered, type ToolEntry } from '../../../src/surfaces/listing/listing.ts';
import { parametersOf } from '../../../src/surfaces/listing/parameters.ts';
import { temporaryFolder } from '../process.ts';
import { runCommand } from './command.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function tools(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(folder.path, ['tools', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Sorted: the order of the table is not the same in the bundle and here, where another program loads the modules. */
const byName = (a: ToolEntry, b: ToolEntry) => (a.name < b.name ? -1 : 1);
const entries = (wanted: string[]) =>
  offered(LISTED, wanted)
    .map(({ tool }) => tool)
    .sort(byName);
const names = (wanted: string[]) => entries(wanted).map(({ name }) => name);
const parsed = async (...args: string[]) => (JSON.parse(await tools(...args)) as ToolEntry[]).sort(byName);

/** The first words of the lines below the groups. */
const listed = (text: string) => [...text.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name).sort();

const look = (width: number) => ({ width, longest: width, bold: (text: string) => text });

describe('the list', () => {
  it('has each tool on one whole line, below its group, without colours', async () => {
    const text = await tools();
    expect(listed(text)).toEqual(names(['all']));
    for (const { tool } of LISTED)
      expect(text).toMatch(new RegExp(`^ {2}${tool.name} +${escaped(tool.description)}$`, 'm'));
    for (const group of new Set(LISTED.map(({ group }) => group))) expect(text).toMatch(new RegExp(`^${group}$`, 'm'));
    expect(text).not.toContain('\u001b');
  });

  it('has only what --tools offers', async () => {
    expect(listed(await tools('--tools', 'core'))).toEqual(names(['core']));
    expect(await parsed('--tools', 'tabs', '--json')).toEqual(entries(['tabs']));
  });

  it('is what tools/list says, as JSON', async () => {
    expect(await parsed('--json')).toEqual(entries(['all']));
  });

  it('fits a terminal', () => {
    const lines = overview(LISTED, look(50)).split('\n');
    expect(Math.max(...lines.map(line => line.length))).toBe(50);
    expect(lines.some(line => line.endsWith('…'))).toBe(true);
  });
});

describe('a tool', () => {
  it('has a page', async () => {
    expect(await tools('select')).toBe(`select: Choose options of a list by value, label or index.

Group forms.

Usage: tabwright select <selector> <value> [name=value…]

  selector  string, required. Ref (@e5), role:button, text:Save, label:Email, CSS or xpath=…
  value     string or list of string. The value of the option, or of several
  label     string or list of string. Its text, or the path to it: Italy / Rome
  index     integer or list of integer. Its place in the list, from 0
  timeout   number, default 5000. Most time for the call, in ms
  receipt   "none", "short", "full". What else has changed on the page: nothing, the main lines, or
            up to 60
  tabId     integer. Which tab; the active one if left out
  frameId   integer. Which frame; the main one, 0, if left out

Give exactly one of value, label, index.

Examples:
  tabwright select @e5 label=Japan
  tabwright select '{"selector":"@e5","label":"Japan"}'
`);
  });

  it('is its entry of tools/list, as JSON', async () => {
    expect(JSON.parse(await tools('click', '--json'))).toEqual(LISTED.find(({ tool }) => tool.name === 'click')?.tool);
  });

  it.each(LISTED.map(one => [one.tool.name, one] as const))('%s: says all about its arguments', (name, one) => {
    const page = explain(one, look(1_000));
    for (const parameter of parametersOf(one.tool.inputSchema)) {
      const line = page.split('\n').find(row => row.startsWith(`  ${parameter.name} `));
      expect(line).toContain(parameter.type);
      expect(line).toContain(parameter.default ?? '');
      expect(parameter.meaning).not.toBe('');
      expect(line).toContain(parameter.meaning);
    }
    expect(page).toContain(`\n  tabwright ${name}`);
  });

  it('fits a terminal', () => {
    for (const one of LISTED) {
      const long = explain(one, look(60))
        .split('\n')
        .filter(line => line.length > 60);
      expect(
        long.filter(line => !/^Usage:|^Each plain|^ {2}tabwright/.test(line)),
        one.tool.name,
      ).toEqual([]);
    }
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
