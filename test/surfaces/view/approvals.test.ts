// Approvals in the page: given once, for a session, refused, and run out; only by those who may.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { poolChrome } from '../../chrome-pool.ts';
import { TOKEN } from '../http/here.ts';
import { type LiveSocket, Person } from './person.ts';
import { type ServedView, serveView } from './served-view.ts';

const OTHER = 'another-token-of-the-tests';

poolChrome();

let served: ServedView;
let live: LiveSocket;
let guest: LiveSocket;

beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tabwright-policy-')), 'policy.yaml');
  writeFileSync(file, 'rules:\n  - name: clicks\n    tool: click\n    decision: ask\n');
  served = await serveView({ http: TOKEN, ann: OTHER }, '--policy', file);
  await served.call('navigate', { url: 'data:text/html,<button onclick="document.title+=1">Go</button>' });
});
afterAll(() => served.close());

const click = (signal?: AbortSignal) =>
  served.runtime.run({
    name: 'click',
    args: { selector: 'text:Go' },
    caller: { id: 'http', rateLimit: 0 },
    ...(signal && { signal }),
  });
const waiting = () => live.until(() => live.last('overview')?.approvals[0]);
const answered = () => live.until(() => live.last('overview')?.approvals.length === 0 || undefined);

it('is not asked for while nobody is there who may give it', async () => {
  expect((await click()).failure).toMatchObject({ code: 'refused' });
  guest = await (await Person.login(served.here.url, OTHER)).connect();
  await guest.until(() => guest.last('overview'));
  expect((await click()).failure).toMatchObject({ code: 'refused' });
  live = await (await Person.login(served.here.url, TOKEN)).connect();
  await live.until(() => live.last('overview'));
});

it('is given once, for the very call', async () => {
  const call = click();
  const { id, tool, rule, question, mayAnswer, session } = await waiting();
  expect({ tool, rule, mayAnswer, session }).toEqual({
    tool: 'click',
    rule: 'clicks',
    mayAnswer: true,
    session: 'default@http',
  });
  expect(question).toContain('Allow click on data:text/html');
  expect(guest.last('overview')?.approvals).toEqual([]);
  expect(await guest.request({ type: 'approve', approval: id, answer: 'once' })).toMatchObject({ code: 'refused' });
  expect(await live.request({ type: 'approve', approval: id, answer: 'once' })).toMatchObject({ type: 'done' });
  expect((await call).ok).toBe(true);
  expect(await live.request({ type: 'approve', approval: id, answer: 'once' })).toMatchObject({ code: 'not_found' });
  await answered();
  // The next one is asked about again.
  const next = click();
  await live.request({ type: 'approve', approval: (await waiting()).id, answer: 'refuse' });
  expect((await next).failure).toMatchObject({
    code: 'not_approved',
    message: expect.stringContaining('a person did not agree'),
  });
  await answered();
});

it('is over when its call is', async () => {
  const gone = new AbortController();
  const call = click(gone.signal);
  const { id } = await waiting();
  gone.abort();
  expect((await call).ok).toBe(false);
  await answered();
  expect(await live.request({ type: 'approve', approval: id, answer: 'once' })).toMatchObject({ code: 'not_found' });
});

it('is given for the session, and no other', async () => {
  const call = click();
  await live.request({ type: 'approve', approval: (await waiting()).id, answer: 'session' });
  expect((await call).ok).toBe(true);
  await answered();
  expect((await click()).ok).toBe(true);
  const args = { url: 'data:text/html,<button>Go</button>', session: 'other' };
  await served.call('navigate', args);
  const elsewhere = served.call('click', { selector: 'text:Go', session: 'other' });
  await live.request({ type: 'approve', approval: (await waiting()).id, answer: 'refuse' });
  expect((await elsewhere).failure?.code).toBe('not_approved');
});
