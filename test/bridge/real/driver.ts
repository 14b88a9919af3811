// The built server over the real agent-browser and a real Chromium, in folders of its own, with nothing left behind.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import { type CliRunResult, RESULT } from '../../../src/bridge/types.ts';
import { findWorking, thisHost } from '../../../src/engine/browser/install.ts';
import { descendantsOf, isAlive, Process, temporaryFolder } from '../../surfaces/process.ts';

interface Tally {
  calls: number;
  wellFormed: number;
  ok: number;
  withJson: number;
}

export interface Driver {
  server: Process;
  folder: string;
  tally: Tally;
  /** One call of a tool, by its name without the prefix. */
  call(tool: string, args?: Record<string, unknown>): Promise<CliRunResult>;
  /** The kinds of content in the last answer. */
  shown(): string[];
  /** A call that must succeed; gives the data in its JSON. */
  data(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Ends browsers and server; gives the processes that would have stayed. */
  close(): Promise<number[]>;
}

/** The browser that the other tests use. */
export async function browserPath(): Promise<string> {
  const { found } = await findWorking(process.env.TABWRIGHT_EXECUTABLE_PATH, thisHost(), AbortSignal.timeout(60_000));
  if (!found) throw new Error('no browser: run npm run setup');
  return found.path;
}

export const NO_SANDBOX = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** What npm installs is a script; the program behind it, which the script makes executable, answers sooner on a busy machine. */
function program(): string {
  const script = resolve('node_modules/.bin/agent-browser');
  const native = resolve(`node_modules/agent-browser/bin/agent-browser-${process.platform}-${process.arch}`);
  spawnSync(script, ['--version']);
  return existsSync(native) ? native : script;
}

export async function startDriver(bin = process.env.AGENT_BROWSER_TEST_BIN ?? program()): Promise<Driver> {
  const { path: folder, remove } = temporaryFolder();
  const sockets = join(folder, 's');
  mkdirSync(sockets);
  const server = new Process(['--dialect', 'agent-browser', '--output-dir', join(folder, 'out')], folder, {
    AGENT_BROWSER_BIN: bin,
    AGENT_BROWSER_EXECUTABLE_PATH: await browserPath(),
    AGENT_BROWSER_ARGS: NO_SANDBOX.join('\n'),
    AGENT_BROWSER_SOCKET_DIR: sockets,
    AGENT_BROWSER_SESSION: '',
    TABWRIGHT_EXECUTABLE_PATH: '',
    HOME: folder,
    // Where old versions keep their sockets.
    TMPDIR: folder,
    XDG_RUNTIME_DIR: sockets,
  });
  await server.initialize();
  const tally: Tally = { calls: 0, wellFormed: 0, ok: 0, withJson: 0 };
  const sessions = new Set<string | undefined>();
  let kinds: string[] = [];

  const ask = async (tool: string, args: Record<string, unknown>): Promise<CliRunResult> => {
    const answer = await server.request('tools/call', { name: `agent_browser_${tool}`, arguments: args });
    const { structuredContent: result, content, isError = false } = answer.result ?? {};
    const parsed = RESULT.safeParse(result);
    const texts = (content as { type: string; text?: string }[] | undefined) ?? [];
    kinds = texts.map(({ type }) => type);
    tally.calls++;
    if (parsed.success && texts[0]?.type === 'text' && isError === !parsed.data.ok) tally.wellFormed++;
    if (parsed.success && parsed.data.ok) tally.ok++;
    if (parsed.success && parsed.data.ok && parsed.data.parsedJson !== null) tally.withJson++;
    return result as unknown as CliRunResult;
  };

  const driver: Driver = {
    server,
    folder,
    tally,
    async call(tool, args = {}) {
      sessions.add(args.session as string | undefined);
      return ask(tool, args);
    },
    shown: () => kinds,
    async data(tool, args) {
      const result = await driver.call(tool, args);
      if (!result.ok) throw new Error(`${tool} ${JSON.stringify(args)}: ${result.stdout}${result.stderr}`);
      return (result.parsedJson as { data: Record<string, unknown> }).data ?? {};
    },
    async close() {
      const daemons = daemonsIn([sockets, folder]);
      const all = daemons.flatMap(pid => [pid, ...descendantsOf(pid)]);
      for (const session of sessions) await driver.call('close', session === undefined ? {} : { session });
      await server.endInput();
      const gone = () => all.filter(isAlive).length === 0;
      await vi
        .waitFor(() => gone() || Promise.reject(new Error('still there')), { timeout: 15_000 })
        .catch(() => undefined);
      const left = all.filter(isAlive);
      for (const pid of left) process.kill(pid, 'SIGKILL');
      remove();
      return left;
    },
  };
  return driver;
}

/** Every daemon leaves its process id beside its socket; one that is ending takes it away. */
function daemonsIn(folders: string[]): number[] {
  const paths = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name)));
  return paths
    .filter(path => path.endsWith('.pid'))
    .flatMap(path => {
      try {
        return [Number(readFileSync(path, 'utf8'))];
      } catch {
        return [];
      }
    })
    .filter(isAlive);
}
