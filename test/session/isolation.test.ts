// Two agents at once, on one site, in two sessions: neither ever sees anything of the other.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
let server: Server;
let site: string;

const page = (who: string): string => `<!doctype html><title>Page of ${who}</title>
<h1>${who}</h1><button onclick="document.title = 'Pressed by ${who}'">Press ${who}</button>
<a href="/file/${who}.txt" download>Get ${who}</a>
<script>console.log('console of ${who}')</script>`;

beforeAll(async () => {
  kit = await startKit();
  server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://site');
    if (pathname.startsWith('/file/'))
      return void res
        .writeHead(200, { 'content-disposition': 'attachment', 'content-type': 'application/octet-stream' })
        .end(pathname);
    res.writeHead(200, { 'content-type': 'text/html' }).end(page(searchParams.get('who') ?? 'nobody'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await kit.close();
  server.closeAllConnections();
  server.close();
});

/** One agent: who it is, in which session (its default one without a name), and all that it was ever told. */
class Agent {
  readonly heard: string[] = [];
  constructor(
    readonly who: string,
    readonly session?: string,
  ) {}

  async call(name: string, args: Record<string, unknown> = {}) {
    const result = await kit.call(
      name,
      { ...args, ...(this.session === undefined ? {} : { session: this.session }) },
      { caller: this.who },
    );
    this.heard.push(`${name}: ${result.text} ${JSON.stringify(result.data ?? null)}`);
    return result;
  }

  async ok(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await this.call(name, args);
    expect(result.ok, `${this.who} ${name}: ${result.text}`).toBe(true);
    return result.text;
  }
}

/** Everything that leaves a trace in a session. Each step of one agent runs beside the same step of the other. */
const STEPS: ((agent: Agent) => Promise<unknown>)[] = [
  agent => agent.ok('navigate', { url: `${site}/?who=${agent.who}` }),
  agent => agent.ok('capture', { action: 'start' }),
  agent => agent.ok('cookies', { action: 'set', name: 'owner', value: agent.who }),
  agent => agent.ok('storage', { action: 'set', key: `key-${agent.who}`, value: agent.who }),
  agent => agent.ok('evaluate', { expression: `fetch('/asked?who=${agent.who}').then(() => 'sent')` }),
  async agent => {
    const text = await agent.ok('snapshot');
    const ref = /button "Press \w+" \[ref=(@e\d+)\]/.exec(text)?.[1];
    await agent.ok('click', { selector: ref });
    expect(await agent.ok('title')).toBe(`Pressed by ${agent.who}`);
  },
  agent => agent.ok('click', { selector: `text:Get ${agent.who}` }),
  agent => agent.ok('wait', { for: 'download', filename_contains: agent.who, timeout: 20_000 }),
  agent => agent.ok('tab_new', { url: `${site}/second?who=${agent.who}` }),
  agent => agent.ok('evaluate', { expression: `setTimeout(() => alert('dialog of ${agent.who}'), 0)` }),
  agent =>
    vi.waitFor(async () =>
      expect((await agent.call('dialog', { action: 'get_message' })).text).toContain(`dialog of ${agent.who}`),
    ),
  agent => agent.ok('dialog', { action: 'accept' }),
  agent => agent.ok('tab_switch', { tabId: 1 }),
  agent => agent.ok('storage', { action: 'entries' }),
  agent => agent.ok('cookies', { action: 'get_all' }),
  agent => agent.ok('console', { action: 'get' }),
  agent => agent.ok('capture', { action: 'stop' }),
  agent => agent.ok('downloads'),
  agent => agent.ok('history'),
  agent => agent.ok('tab_list'),
  agent => agent.ok('session_list'),
];

describe.each([
  ['sessions by name', ['one', 'two']],
  ['default sessions', [undefined, undefined]],
] as const)('two agents in %s', (_, [first, second]) => {
  it('S3-17, S3-34: tabs, refs, dialogs, downloads, cookies, storage, console, captures of one are never seen by the other', async () => {
    const agents = [new Agent('ann', first), new Agent('bob', second)];
    for (const step of STEPS) await Promise.all(agents.map(step));
    const [ann, bob] = agents as [Agent, Agent];
    // What is looked for is there at all.
    for (const { who, heard } of agents)
      for (const trace of [`key-${who}`, `console of ${who}`, `asked?who=${who}`, `${who}.txt`, `dialog of ${who}`])
        expect(
          heard.some(text => text.includes(trace)),
          `${who} hears of ${trace}`,
        ).toBe(true);
    expect(ann.heard.filter(text => text.includes('bob'))).toEqual([]);
    expect(bob.heard.filter(text => text.includes('ann'))).toEqual([]);
  }, 90_000);

  it('a ref of one session means nothing of the other in another', async () => {
    const [ann, bob] = [new Agent('ann', first), new Agent('bob', second)];
    const text = await ann.ok('snapshot');
    const ref = /button "Press ann" \[ref=(@e\d+)\]/.exec(text)?.[1];
    await bob.ok('navigate', { url: 'about:blank' });
    expect((await bob.call('click', { selector: ref, timeout: 1_000 })).ok).toBe(false);
    await ann.ok('navigate', { url: `${site}/?who=ann` });
    expect((await ann.call('title')).text).toBe('Page of ann');
  }, 60_000);
});

describe('another caller', () => {
  it('S3-16: cannot reach a session by its name, with any tool', async () => {
    const ann = new Agent('ann', 'one');
    await ann.ok('navigate', { url: `${site}/?who=ann` });
    const eve = new Agent('eve', 'one@ann');
    for (const tool of ['snapshot', 'tab_list', 'downloads', 'title', 'console', 'session_close'])
      expect((await eve.call(tool)).failure, tool).toMatchObject({
        code: 'refused',
        message: 'Access denied to session: one@ann',
      });
    expect((await eve.call('batch', { calls: [{ tool: 'title', args: {} }] })).text).not.toContain('Page of');
    expect(eve.heard.filter(text => /ann(?<!one@ann)/.test(text))).toEqual([]);
  });
});

describe('calls that overlap in a new session', () => {
  it('share its first tab', async () => {
    const ann = new Agent('ann', 'new');
    await Promise.all(['title', 'url', 'snapshot'].map(tool => ann.ok(tool)));
    expect(await ann.ok('tab_list')).toMatch(/^\* 1: [^\n]*$/);
  });

  it('a call that is cancelled does not stop the others', async () => {
    const cancelled = kit.call('title', { session: 'cut' }, { caller: 'ann', signal: AbortSignal.timeout(1) });
    const other = kit.call('url', { session: 'cut' }, { caller: 'ann' });
    expect((await cancelled).failure).toMatchObject({ code: 'cancelled' });
    expect((await other).text).toBe('about:blank');
  });
});
