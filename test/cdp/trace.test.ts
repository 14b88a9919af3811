// --trace-cdp: one line of JSON for each message, with times and sizes, and nothing of what the messages say.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CdpTrace } from '../../src/cdp/trace.ts';
import { type Kit, startKit } from '../kit.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'trace.jsonl');
let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--trace-cdp', file);
});
afterAll(async () => {
  await kit.close();
  folder.remove();
});

interface Line {
  ms: number;
  browser: number;
  session?: string;
  sent?: string;
  answered?: string;
  event?: string;
  id?: number;
  took?: number;
  bytes: number;
}
const lines = (): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text) as Line);

it('has every command with its answer, and no contents', async () => {
  await kit.open('/login.html?key=s3cret-of-the-address');
  await kit.ok('navigate', {
    url: `${kit.site.url}/html?of=${encodeURIComponent('<title>T1tle</title><input type=password>')}`,
  });
  await kit.ok('fill', { selector: 'input', value: 'pa55-w0rd' });
  await kit.ok('cookies', { action: 'set', name: 'sid', value: 'c00kie-value', url: kit.site.url });
  await kit.ok('evaluate', { expression: 'console.log("l0gged"), "ev4luated"' });
  await expect.poll(() => lines().some(({ event }) => event === 'Runtime.consoleAPICalled')).toBe(true);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/s3cret|pa55|c00kie|l0gged|ev4luated|T1tle|127\.0\.0\.1/);
  const all = lines();
  const keys = new Set(all.flatMap(line => Object.keys(line)));
  expect(
    [...keys].filter(key => !/^(ms|browser|session|sent|answered|event|id|took|bytes|refused)$/.test(key)),
  ).toEqual([]);
  const asked = all.filter(({ sent }) => sent === 'Page.navigate');
  expect(asked).toHaveLength(2);
  for (const { id, ms } of asked) {
    const answer = all.find(line => line.id === id && line.answered === 'Page.navigate');
    expect(answer?.took).toBeGreaterThan(0);
    expect(answer?.ms).toBeGreaterThanOrEqual(ms);
    expect(answer?.bytes).toBeGreaterThan(20);
  }
});

it('is for its owner alone', () => expect(statSync(file).mode & 0o777).toBe(0o600));

it('ends at 100 MB', async () => {
  const path = join(folder.path, 'much.jsonl');
  const trace = new CdpTrace(path, error => {
    throw error;
  });
  const connection = trace.connection();
  const word = `Page.${'x'.repeat(1_000_000)}`;
  for (let at = 0; at < 120; at++) {
    connection.event(word, undefined, 1);
    await new Promise(resolve => setImmediate(resolve));
  }
  await expect.poll(() => statSync(path).size).toBeGreaterThan(98_000_000);
  expect(statSync(path).size).toBeLessThanOrEqual(100_000_000);
});

it('a file that cannot be written keeps nobody from working', async () => {
  const own = await startKit('--trace-cdp', join(folder.path, 'nowhere', 'trace.jsonl'));
  expect(await own.open('/signup.html')).toContain('Sign up');
  await own.close();
});
