// What the tests of the bridge share: settings, and a bridge over a stub that stands in for agent-browser.
import { chmodSync, copyFileSync, mkdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Bridge } from '../../src/bridge/bridge.ts';
import { CHARACTER_LIMIT } from '../../src/bridge/constants.ts';
import type { BridgeSettings, CliRunResult } from '../../src/bridge/types.ts';
import { temporaryFolder } from '../surfaces/process.ts';

export type Modes = Record<string, string>;

/** Settings of nobody: no options, no variables but those given. */
export const settingsFor = (cwd: string, env: BridgeSettings['env'] = {}): BridgeSettings => ({
  env,
  platform: process.platform,
  cwd,
  folders: [cwd],
  limit: CHARACTER_LIMIT,
  defaults: {},
  executables: ['/opt/chrome', '/opt/a chrome', '/x', 'C:\\x.exe'],
  allowed: [],
});

export interface StubKit {
  /** The working folder of the bridge; its files are removed at the end. */
  folder: string;
  bin: string;
  settings(modes?: Modes): BridgeSettings;
  bridge(modes?: Modes): Bridge;
  /** One call of a tool over the stub in that mode. */
  call(name: string, args?: Record<string, unknown>, modes?: Modes): Promise<CliRunResult>;
  /** The command line that a call leads to; it must lead to one. */
  argv(name: string, args?: Record<string, unknown>, modes?: Modes): Promise<string[]>;
  remove(): void;
}

export function stubKit(): StubKit {
  const { path, remove } = temporaryFolder();
  const folder = join(realpathSync(path), 'work');
  const bin = join(path, 'agent-browser');
  mkdirSync(folder);
  copyFileSync(resolve('test/bridge/stub/agent-browser.cjs'), bin);
  chmodSync(bin, 0o755);
  const settings = (modes: Modes = {}) =>
    settingsFor(folder, { PATH: process.env.PATH, AGENT_BROWSER_BIN: bin, ...modes });
  const bridge = (modes?: Modes) => new Bridge(settings(modes));
  const call: StubKit['call'] = async (name, args = {}, modes = {}) =>
    (await bridge(modes).call({ name, args })).result;
  return {
    folder,
    bin,
    settings,
    bridge,
    call,
    async argv(name, args, modes) {
      const { ok, parsedJson, stderr } = await call(name, args, modes);
      if (!ok) throw new Error(`${name} ${JSON.stringify(args)}: ${stderr}`);
      return (parsedJson as { data: { argv: string[] } }).data.argv;
    },
    remove,
  };
}
