// The dialect over the wire (S1-70, S1-94): what is listed, what is accepted, in whose words it is answered and recorded.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFINITION as CHROME } from '../../src/dialects/chrome/definition.ts';
import type { ToolEntry } from '../../src/surfaces/listing/listing.ts';
import { BUNDLE, type Message, Process, temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
const started: Process[] = [];

async function start(...args: string[]): Promise<Process> {
  const server = new Process(args, join(folder.path, String(started.length)));
  started.push(server);
  await server.initialize();
  return server;
}
afterAll(async () => {
  await Promise.all(started.map(server => server.kill('SIGKILL')));
  folder.remove();
});

interface Answer {
  content: { text: string }[];
  isError?: boolean;
  structuredContent?: unknown;
}
async function call(
  server: Process,
  name: string,
  args: Record<string, unknown> = {},
  _meta?: object,
): Promise<Answer> {
  const params = { name, arguments: args, ...(_meta && { _meta }) };
  return (await server.request('tools/call', params)).result as unknown as Answer;
}
const textOf = async (answer: Promise<Answer>): Promise<string> => (await answer).content[0]?.text ?? '';
const listOf = ({ result }: Message): ToolEntry[] => result?.tools as ToolEntry[];

const PAGE = `data:text/html,${encodeURIComponent('<title>T</title><p>Write to @e7</p><button>Save</button><input aria-label="Word" type="password">')}`;

describe('--dialect chrome', () => {
  let server: Process;
  beforeAll(async () => {
    server = await start('--dialect', 'chrome');
  });

  it('lists the old tools with their old arguments', async () => {
    const tools = listOf(await server.request('tools/list'));
    const listed = Object.entries(CHROME.tools).filter(([, row]) => !row.unlisted);
    const names = tools.map(({ name }) => name);
    expect(listed.map(([name]) => name)).toEqual(expect.arrayContaining(names));
    expect(names.length).toBeGreaterThanOrEqual(27);
    const entry = (name: string) => tools.find(tool => tool.name === name);
    expect(entry('chrome_javascript')?.inputSchema).toEqual({
      type: 'object',
      properties: {
        code: { type: 'string', description: expect.any(String) },
        tabId: { type: 'number' },
        timeoutMs: { type: 'number', default: 15_000 },
        maxOutputBytes: { type: 'number', default: 51_200 },
      },
      required: ['code'],
    });
    expect(entry('chrome_click_element')?.inputSchema.properties).toMatchObject({
      selectorType: { type: 'string', enum: ['css', 'xpath'], default: 'css' },
      modifiers: { type: 'object', properties: { ctrlKey: { type: 'boolean' } } },
    });
    expect(entry('chrome_read_page')?.annotations).toEqual({ readOnlyHint: true });
    expect(entry('chrome_computer')?.annotations).toBeUndefined();
    const chars = JSON.stringify({ tools }).length;
    console.log('characters of tools/list in the dialect chrome', chars);
    expect(chars).toBeLessThanOrEqual(16_000);
  });

  it('tells the client about itself in those names', async () => {
    const { result } = await (await start('--dialect', 'chrome')).initialize();
    expect(result?.instructions).toMatch(/chrome_read_page/);
    expect(result?.instructions).not.toMatch(/\bsnapshot\b|@e/);
  });

  it('answers in the refs and names of the caller', async () => {
    expect(await textOf(call(server, 'chrome_navigate', { url: PAGE }))).toMatch(/^Opened /);
    const page = await textOf(call(server, 'chrome_read_page'));
    expect(page).toContain('"Write to @e7"');
    expect(page).toMatch(/- button "Save" \[ref=ref_\d+\]/);
    expect(page).not.toMatch(/\[ref=@e/);
    const ref = /button "Save" \[ref=(ref_\d+)\]/.exec(page)?.[1];
    expect(await textOf(call(server, 'chrome_click_element', { ref }))).toBe(`Clicked ${ref} button "Save".`);
    expect(await textOf(call(server, 'chrome_click_element', { ref: 'ref_99' }))).toMatch(
      /^ref_99 was never given out in this session.*\nCall chrome_read_page and use a ref from it\.$/,
    );
    expect(await textOf(call(server, 'chrome_switch_tab', { tabId: 99 }))).toMatch(/See get_windows_and_tabs/);
  });

  it('answers in structured form alike', async () => {
    const args = { by: 'role', value: 'button' };
    const { structuredContent } = await call(server, 'query', args, { 'tabwright/structured': true });
    expect(structuredContent).toMatchObject({
      success: true,
      data: { matches: [{ ref: expect.stringMatching(/^ref_/) }] },
    });
  });

  it('says what is wrong with arguments by their old names', async () => {
    const args = { selector: 5, modifiers: 'ctrl', timeout: 'x', colour: 1 };
    expect(await textOf(call(server, 'chrome_click_element', args))).toBe(
      [
        'chrome_click_element: selector must be text, got 5; modifiers must be a list, got the text "ctrl"; timeout must be a number, got the text "x"; unknown argument "colour".',
        'chrome_click_element takes: selector, selectorType, ref, coordinates, double, button, modifiers, waitForNavigation, timeout, tabId, windowId, frameId (optional).',
      ].join('\n'),
    );
    expect(await textOf(call(server, 'chrome_fill_or_select', {}))).toMatch(
      /"ref or selector" is missing.*value is missing/,
    );
    expect(await textOf(call(server, 'chrome_clik_element', {}))).toBe(
      'There is no tool "chrome_clik_element".\nDid you mean chrome_click_element?',
    );
  });

  it('records what was done by our names, with secrets masked', async () => {
    await call(server, 'chrome_fill_or_select', { selector: 'input', value: 'hunter2' });
    await call(server, 'chrome_computer', { action: 'fill', selector: 'input', value: 'hunter2', oops: 'hunter2' });
    const file = join(server.stateDir, 'journal', 'journal.jsonl');
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('"oops":');
    const lines = readFileSync(file, 'utf8');
    expect(lines).toContain('"tool":"fill","args":{"selector":"input","value":"‹7 chars›"');
    expect(lines).not.toContain('hunter2');
    expect(lines).not.toMatch(/"tool":"chrome_(?!clik)/);
  });

  it('takes a window for its last tab', async () => {
    await call(server, 'chrome_navigate', { url: PAGE, newWindow: true, width: 700, height: 400 });
    const tabs = await textOf(call(server, 'get_windows_and_tabs'));
    const [, windowId] = /\[window (\d+)\]$/m.exec(tabs) ?? [];
    expect(await textOf(call(server, 'chrome_read_page', { windowId: Number(windowId) }))).toContain('1280x720');
    expect(await textOf(call(server, 'chrome_read_page', { windowId: 12_345 }))).toMatch(/There is no window 12345/);
    expect(await textOf(call(server, 'chrome_read_page'))).toContain('700x400');
  });
});

describe('--dialect native', () => {
  it('lists none of the old names, but takes them, and answers in its own refs', async () => {
    const server = await start();
    const names = listOf(await server.request('tools/list')).map(({ name }) => name);
    expect(names.filter(name => Object.hasOwn(CHROME.tools, name))).toEqual([]);
    expect(await textOf(call(server, 'chrome_navigate', { url: PAGE }))).toMatch(/^Opened /);
    expect(await textOf(call(server, 'chrome_read_page'))).toMatch(/button "Save" \[ref=@e\d+\]/);
    expect(await textOf(call(server, 'chrome_keyboard', { keys: 5 }))).toMatch(
      /^chrome_keyboard: keys must be text, got 5/,
    );
  });

  it('loads no listing of a dialect at the start', () => {
    const parts = join(BUNDLE, '..');
    const importsOf = (file: string) =>
      [...readFileSync(join(parts, file), 'utf8').matchAll(/(?:from|import)\s*"\.\/(?:parts\/)?([\w-]+\.js)"/g)].map(
        match => `parts/${match[1]}`,
      );
    /** What a file imports when it needs it, of those that are called so. */
    const laterOf = (file: string, name: string) =>
      [...readFileSync(join(parts, file), 'utf8').matchAll(/import\("\.\/(?:parts\/)?([\w-]+\.js)"\)/g)]
        .filter(match => match[1]?.split(/[-.]/)[0] === name)
        .map(match => `parts/${match[1]}`);
    const main = laterOf('tabwright.js', 'main');
    const commands = main.flatMap(file => laterOf(file, 'mcp'));
    expect(commands.length).toBeGreaterThan(0);
    const seen = new Set(['tabwright.js', ...main, ...commands]);
    for (const file of seen) for (const next of importsOf(file)) seen.add(next);
    const all = readdirSync(join(parts, 'parts')).filter(name => name.startsWith('listing-chrome-'));
    expect(all.length).toBeGreaterThan(0);
    expect([...seen].filter(file => readFileSync(join(parts, file), 'utf8').includes('chrome_gif_recorder'))).toEqual(
      [],
    );
  });
});

describe('--tools', () => {
  it('holds for the old names too', async () => {
    const server = await start('--dialect', 'chrome', '--tools', 'snapshot,navigation');
    const names = listOf(await server.request('tools/list')).map(({ name }) => name);
    expect(names).toContain('chrome_read_page');
    expect(names).not.toContain('chrome_click_element');
    expect(await textOf(call(server, 'chrome_click_element', { selector: 'a' }))).toBe(
      'chrome_click_element needs the tool click, which is not offered.\nOffer it with --tools.',
    );
  });
});
