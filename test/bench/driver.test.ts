// The client of the benchmark against a stand-in server: no error is ever timed as a success, and nothing outlives it.
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { Driver } from '../../bench/driver.ts';
import { removeScratch } from '../../bench/scratch.ts';
import { type Server, TABWRIGHT } from '../../bench/servers.ts';

/** Answers by the name of the tool; `detached` starts a process that leaves its parent. */
const SCRIPT = `
const { spawn } = require('node:child_process');
const text = (text, more) => ({ result: { content: [{ type: 'text', text }], ...more } });
const answers = {
  echo: ({ expression }) => text(expression),
  title: () => text('it is 20 rows'),
  refuses: () => text('not today', { isError: true }),
  unknown: () => ({ error: { code: -32602, message: 'no such tool' } }),
  empty: () => ({}),
  pids: () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    child.unref();
    return text(process.pid + ' ' + child.pid + ' ' + process.cwd());
  },
  dies: () => process.exit(3),
};
const lists = { '': { tools: [1, 2], nextCursor: 'more' }, more: { tools: [3] } };
process.stderr.write('x'.repeat(300000));
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const answer = method === 'tools/list' ? { result: lists[params.cursor ?? ''] }
    : method === 'initialize' ? { result: {} } : answers[params.name](params.arguments);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 'asks', method: 'roots/list' }) + '\\n');
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;

const standIn = (more: Partial<Server> = {}): Driver => {
  const server: Server = {
    ...TABWRIGHT,
    name: 'stand-in',
    launch: () => ({ command: process.execPath, args: ['-e', SCRIPT] }),
    evaluate: expression => ({ tool: 'echo', args: { expression } }),
    ...more,
  };
  return new Driver(server, { browser: '', packages: '', sandbox: true });
};

async function using<T>(driver: Driver, run: () => Promise<T>): Promise<T> {
  try {
    await driver.client.initialize();
    return await run();
  } finally {
    await driver.end();
  }
}

afterAll(removeScratch);

/** Not gone, and not a dead process that nobody has asked about yet. */
const runs = (pid = ''): boolean =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';

it('throws for every kind of error', async () => {
  const driver = standIn();
  await using(driver, async () => {
    await expect(driver.call({ tool: 'refuses', args: {} })).rejects.toThrow('tools/call refuses: not today');
    await expect(driver.call({ tool: 'unknown', args: {} })).rejects.toThrow('no such tool');
    await expect(driver.call({ tool: 'empty', args: {} })).rejects.toThrow('without a result');
    expect(await driver.list()).toMatchObject({ tools: 3 });
    await expect(driver.call({ tool: 'dies', args: {} })).rejects.toThrow('the server ended');
  });
});

it('does not take the repeated code of an expression for its value', async () => {
  const driver = standIn();
  await using(driver, () => expect(driver.expect('document.title', '20 rows')).rejects.toThrow('is not 20 rows'));
  const answering = standIn({ evaluate: () => ({ tool: 'title', args: {} }) });
  await using(answering, () => answering.expect('document.title', '20 rows'));
});

it('finds refs as each server writes them', () => {
  const driver = standIn();
  expect(driver.ref('- button "Save 1" [ref=@e3]\n- button "Save 12" [ref=@e9]', 'button', 'Save 12')).toBe('@e9');
  expect(() => driver.ref('- link "Save 1" [ref=@e3]', 'button', 'Save 1')).toThrow('no ref of button "Save 1"');
  return driver.end();
});

it.runIf(process.platform === 'linux')('weighs and ends also what left the server', async () => {
  const driver = standIn();
  const { text } = await using(driver, async () => {
    const answer = await driver.call({ tool: 'pids', args: {} });
    expect(answer.text.split(' ').slice(0, 2).every(runs)).toBe(true);
    expect(driver.client.memory()).toBeGreaterThan(40);
    return answer;
  });
  const [server, detached, folder = ''] = text.split(' ');
  await expect.poll(() => [server, detached].some(runs)).toBe(false);
  expect(existsSync(folder)).toBe(false);
});
