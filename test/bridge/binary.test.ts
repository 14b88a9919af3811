// The program: which one is run (S0-04), and what is told when it is missing.
import { afterAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { binaryOf, locate, notStarted } from '../../src/bridge/cli/binary.ts';
import { DEFAULT_BIN, DEFAULT_TIMEOUT_MS, SERVER_NAME, SERVER_VERSION } from '../../src/bridge/constants.ts';
import { stubKit } from './kit.ts';

const kit = stubKit();
afterAll(() => kit.remove());
const place = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') => ({ env, platform, cwd: '/here' });

describe('the program', () => {
  it.each([
    [{}, 'agent-browser'],
    [{ AGENT_BROWSER_BIN: '' }, 'agent-browser'],
    [{ AGENT_BROWSER_BIN: '   ' }, 'agent-browser'],
    [{ AGENT_BROWSER_BIN: ' /opt/ab ' }, '/opt/ab'],
    [{ AGENT_BROWSER_BIN: './ab' }, './ab'],
  ])('S0-04 of %j is %s', (env, bin) => expect(binaryOf(place(env))).toBe(bin));

  const windows = place({ PATH: 'C:\\npm;D:\\tools' }, 'win32');
  it.each([
    ['C:\\npm\\agent-browser.exe', undefined],
    ['C:\\npm\\node_modules\\agent-browser\\bin\\agent-browser-win32-x64.exe', undefined],
    [
      'C:\\app\\node_modules\\agent-browser\\bin\\agent-browser-win32-x64.exe',
      'C:\\app\\node_modules\\.bin\\agent-browser.cmd',
    ],
  ])('S0-12 on Windows is the program behind the script: %s', (exe, named) => {
    const env = { ...windows.env, ...(named && { AGENT_BROWSER_BIN: named }) };
    expect(binaryOf({ ...windows, env }, file => file === exe)).toBe(exe);
  });

  it('S0-04 on Windows stays as it is named when nothing is found', () =>
    expect(binaryOf(windows, () => false)).toBe('agent-browser'));

  it('S0-69 is found in PATH, or where it is named', () => {
    const folder = kit.bin.slice(0, kit.bin.lastIndexOf('/'));
    expect(locate('agent-browser', place({ PATH: `/nowhere:${folder}` }))).toBe(kit.bin);
    expect(locate(kit.bin, place({}))).toBe(kit.bin);
    expect(locate('./agent-browser', { ...place({}), cwd: folder })).toBe(kit.bin);
    expect(locate('agent-browser', place({ PATH: '/nowhere' }))).toBeUndefined();
    expect(locate(folder, place({}))).toBeUndefined();
  });

  it.each([
    ['ENOENT', /not found/],
    ['EACCES', /may not be run/],
    ['EINVAL', /without a shell/],
  ])('S0-04 that did not start for %s is told with the command that installs it', (code, why) => {
    const { message, hint } = notStarted('ab', Object.assign(new Error('x'), { code }));
    expect(message).toMatch(why);
    expect(hint).toMatch(/npm install -g agent-browser && agent-browser install/);
  });

  it('S0-04 that did not start for another reason is told with it', () =>
    expect(notStarted('ab', new Error('spawn E2BIG')).message).toMatch(/E2BIG/));
});

describe('the constants', () => {
  it('S0-03 S0-13 S0-45 are those that were agreed', () => {
    expect({ SERVER_NAME, SERVER_VERSION, DEFAULT_BIN, DEFAULT_TIMEOUT_MS }).toEqual({
      SERVER_NAME: 'agent-browser-mcp-server',
      SERVER_VERSION: packageJson.version,
      DEFAULT_BIN: 'agent-browser',
      DEFAULT_TIMEOUT_MS: 60_000,
    });
  });
});
