// Holders of tokens and pages who try to reach what is on this machine, in its network, or the metadata service of a cloud.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toolPath } from '../../src/surfaces/rest/contract.ts';
import { type Listener, startTarget } from '../engine/egress/sites.ts';
import { type Kit, startKit } from '../kit.ts';
import { otherBrowser } from '../other-browser.ts';
import { Served } from '../surfaces/http/served.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
const tokensFile = join(folder.path, 'tokens.json');
const TOKENS = { ci: 'a-token-for-the-builds', late: 'a-token-that-came-later' };
const giveTokens = (...ids: (keyof typeof TOKENS)[]) =>
  writeFileSync(tokensFile, JSON.stringify({ tokens: ids.map(id => ({ id, token: TOKENS[id] })) }), { mode: 0o600 });

let served: Served;
let target: Listener;
beforeAll(async () => {
  giveTokens('ci');
  [served, target] = await Promise.all([
    new Served(join(folder.path, 'state'), '--tokens-file', tokensFile).ready(),
    startTarget(),
  ]);
}, 60_000);
afterAll(async () => {
  await served?.kill('SIGTERM');
  await target?.close();
  folder.remove();
});

async function call(token: string, tool: string, args: Record<string, unknown>) {
  const answer = await fetch(new URL(toolPath('default', tool), served.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(args),
  });
  return (await answer.json()) as { code?: string; error?: string };
}

const fetching = (url: string) => ({
  expression: `fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).then(() => 'reached', () => 'blocked')`,
});

it('15.18 the holder of a further token reaches nothing on this machine, the owner does', async () => {
  const url = `http://127.0.0.1:${target.port}/here`;
  giveTokens('ci', 'late');
  await expect.poll(async () => (await call(TOKENS.late, 'tab_list', {})).code).toBeUndefined();
  for (const token of Object.values(TOKENS)) {
    for (const tool of ['navigate', 'request']) {
      const { code, error } = await call(token, tool, { url });
      expect([code, error]).toEqual(['refused', expect.stringContaining('--block-private')]);
    }
    await call(token, 'navigate', { url: 'data:text/html,<title>Page</title>' });
    await call(token, 'evaluate', fetching(url));
  }
  expect(target.visits).toEqual([]);
  expect((await call(served.token, 'navigate', { url })).code).toBeUndefined();
  expect(target.visits).toContain('/here');
}, 60_000);

it('15.18 nobody reaches the metadata service of a cloud, by calls', async () => {
  for (const url of [
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://[fd00:ec2::254]/',
  ])
    for (const tool of ['navigate', 'request'])
      for (const token of [served.token, TOKENS.ci]) {
        const { code, error } = await call(token, tool, { url });
        expect([code, error], url).toEqual(['refused', expect.stringContaining('no metadata services of clouds')]);
      }
}, 60_000);

/** Leads requests for the metadata service to a server of the test. */
const table = () =>
  `--host-resolver-rules=MAP 169.254.169.254 127.0.0.1:${target.port},MAP metadata.google.internal 127.0.0.1:${target.port}`;

async function reachedFrom(kit: Kit): Promise<unknown[]> {
  target.visits.length = 0;
  await kit.ok('navigate', { url: `${kit.site.url}/signup.html` });
  for (const host of [
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    'metadata.google.internal',
    'metadata.google.internal.',
  ])
    await kit.ok('evaluate', fetching(`http://${host}/keys`));
  return target.visits;
}

it('15.18 nor does a page', async () => {
  const kit = await startKit(`--chrome-arg=${table()}`);
  expect(await reachedFrom(kit)).toEqual([]);
  await kit.close();
}, 60_000);

it('15.18 nor does a page of an attached browser', async () => {
  const other = await otherBrowser(table());
  const kit = await startKit('--cdp-endpoint', other.endpoint);
  expect(await reachedFrom(kit)).toEqual([]);
  await kit.close();
  await other.end();
}, 60_000);
