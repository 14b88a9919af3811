// The one helper of the tests: a server with a real browser and the test site, called through the front door.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Result, run } from '../src/call/call.ts';
import { load } from '../src/config/load.ts';
import { makeLog } from '../src/config/log.ts';
import { oldNames } from '../src/dialects/index.ts';
import type { Permissions } from '../src/policy/decide.ts';
import { Rules } from '../src/session/rules/rules.ts';
import { Server } from '../src/session/server.ts';
import { policyOf } from '../src/surfaces/runtime.ts';
import { TOOLS } from '../src/tools/index.ts';
import { poolChrome } from './chrome-pool.ts';
import { type Site, startSite } from './site/serve.ts';

export interface Kit {
  site: Site;
  server: Server;
  /** Folder for files of this kit; removed at the end. */
  folder: string;
  /** Calls a tool as an agent does. */
  call(
    name: string,
    args?: Record<string, unknown>,
    more?: { caller?: string; may?: Permissions; signal?: AbortSignal },
  ): Promise<Result>;
  /** Ends the server and starts another one on the same folders. */
  restart(): Promise<void>;
  /** Calls a tool that must succeed; gives its text. */
  ok(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Calls a tool that must fail; gives code and text. */
  fails(name: string, args?: Record<string, unknown>): Promise<{ code: string; text: string }>;
  /** Opens a page of the site. */
  open(path: string): Promise<string>;
  /** A snapshot, and the ref of the first line that holds all the words. */
  ref(...words: string[]): Promise<string>;
  close(): Promise<void>;
}

poolChrome();

export async function startKit(...flags: string[]): Promise<Kit> {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  const site = await startSite();
  const { options } = await load([
    '--state-dir',
    join(folder, 'state'),
    '--output-dir',
    join(folder, 'output'),
    // Many tests keep apart what they do by sessions.
    ...(flags.includes('--max-sessions-per-caller') ? [] : ['--max-sessions-per-caller', '10']),
    // The test site is on this machine, also for callers who are not the owner.
    ...(flags.some(flag => /^--(?:no-)?(?:block-private|cdp-endpoint)/.test(flag)) ? [] : ['--no-block-private']),
    ...flags,
  ]);
  const log = makeLog(options.logLevel, line => process.env.TABWRIGHT_TEST_LOG && process.stderr.write(`${line}\n`));
  const start = async () => new Server(options, log, new Rules(options, await policyOf(options)));
  const kit: Kit = {
    site,
    server: await start(),
    folder,
    async restart() {
      await kit.server.close();
      kit.server = await start();
    },
    call: (name, args = {}, more = {}) =>
      run(
        { server: kit.server, tools: TOOLS, oldNames },
        {
          name,
          args,
          caller: { id: more.caller ?? 'local', rateLimit: 0, ...(more.may && { may: more.may }) },
          ...(more.signal ? { signal: more.signal } : {}),
        },
      ),
    async ok(name, args) {
      const result = await kit.call(name, args);
      if (!result.ok)
        throw new Error(`${name} ${JSON.stringify(args)} failed: ${result.failure?.code}: ${result.text}`);
      return result.text;
    },
    async fails(name, args) {
      const result = await kit.call(name, args);
      if (result.ok) throw new Error(`${name} ${JSON.stringify(args)} should have failed, but: ${result.text}`);
      return { code: result.failure?.code ?? '', text: result.text };
    },
    open: path => kit.ok('navigate', { url: path.startsWith('http') ? path : `${site.url}${path}` }),
    async ref(...words) {
      const text = await kit.ok('snapshot');
      const line = text.split('\n').find(row => row.includes('[ref=') && words.every(word => row.includes(word)));
      const ref = line && /\[ref=(@e\d+)\]/.exec(line)?.[1];
      if (!ref) throw new Error(`No line with a ref and ${words.join(', ')} in:\n${text}`);
      return ref;
    },
    async close() {
      await kit.server.close();
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return kit;
}
