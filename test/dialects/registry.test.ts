// A new dialect is a folder and one line of the registry: a copy of the project gets a tiny one, and options, build, listing, calls and docs have it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agent } from '../surfaces/agents.ts';
import { CLIENT_INFO, cleanEnv, temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const DEFINITION = `// The dialect tiny: two tools.
import type { DialectDefinition } from '../definition.ts';

export const DEFINITION: DialectDefinition = {
  tools: {
    rest: {
      summary: 'Do nothing for a time.',
      arguments: { seconds: { type: 'number', description: 'How long' } },
      required: ['seconds'],
      cases: [{ tool: 'session_list' }],
      text: ({ given }) => \`Rested for \${Object(given).seconds} s\`,
    },
    peek: { summary: 'Look at the page.', arguments: {}, cases: [{ tool: 'snapshot' }] },
  },
  names: { snapshot: 'peek' },
  ref: 'r',
  strict: true,
  instructions: 'Two tools.',
};
`;

/** The process of one command of the copy, to its end. */
function run(script: string[]): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, script, {
    cwd: folder.path,
    env: cleanEnv(join(folder.path, 'state')),
    encoding: 'utf8',
  });
  return { status, out: `${stdout}${stderr}` };
}

const tabwright = (...args: string[]): string => run(['dist/tabwright.js', ...args]).out;

beforeAll(() => {
  for (const part of ['src', 'scripts', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(part, join(folder.path, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'));
  mkdirSync(join(folder.path, 'src/dialects/tiny'));
  writeFileSync(join(folder.path, 'src/dialects/tiny/definition.ts'), DEFINITION);
  const registry = join(folder.path, 'src/dialects/registry.ts');
  const text = readFileSync(registry, 'utf8');
  writeFileSync(registry, text.replace('  chrome: {},\n', '  chrome: {},\n  tiny: { defaults: { port: 4321 } },\n'));
  for (const script of ['build', 'generate']) {
    const { status, out } = run(['node_modules/tsx/dist/cli.mjs', `scripts/${script}.ts`]);
    expect(status, out).toBe(0);
  }
});

it('the options offer it, with its own defaults', () => {
  expect(tabwright('--help')).toContain('--dialect <native|chrome|tiny|vision|');
  expect(tabwright('config', '--show', '--dialect', 'tiny')).toMatch(/^port +4321 /m);
});

it('the docs have a page about it', () => {
  const page = readFileSync(join(folder.path, 'docs/tiny-tools.md'), 'utf8');
  expect(page).toContain('# Tools of the dialect tiny');
  expect(page).toMatch(/### rest[\s\S]*`seconds` \(required\) \| number[\s\S]*### peek/);
});

it('a client is shown its tools, and its calls are decoded, run and encoded', async () => {
  const client = new Client(CLIENT_INFO);
  const args = [join(folder.path, 'dist/tabwright.js'), '--dialect', 'tiny'];
  const env = cleanEnv(join(folder.path, 'state'));
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  expect(client.getInstructions()).toBe('Two tools.');
  const tiny = agent(client);
  expect(await tiny.names()).toEqual(['rest', 'peek']);
  expect(await tiny.ok('rest', { seconds: 2 })).toBe('Rested for 2 s');
  const wrong = await tiny.call('rest', { minutes: 2 });
  expect(wrong.isError).toBe(true);
  expect(wrong.content[0]?.text).toContain('rest: seconds is missing (a number); unknown argument "minutes"');
  await tiny.close();
});
