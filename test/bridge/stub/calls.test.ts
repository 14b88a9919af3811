// Calls over a stub: whose turn it is (S0-72), what is refused before anything runs (S0-38, S0-44, S0-56), health (S0-69), pictures.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bridge } from '../../../src/bridge/bridge.ts';
import { CALL_LIMIT } from '../../../src/bridge/constants.ts';
import { RESULT } from '../../../src/bridge/types.ts';
import { type StubKit, stubKit } from '../kit.ts';

let kit: StubKit;
beforeAll(() => {
  kit = stubKit();
});
afterAll(() => kit.remove());

/** The sessions in which something ran at the same time as something else of the same session, and of another. */
function overlaps(file: string): { own: number; others: number } {
  const running: string[] = [];
  const found = { own: 0, others: 0 };
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [what, name = ''] = line.split(' ');
    if (what === 'end') running.splice(running.indexOf(name), 1);
    else {
      found.own += running.filter(other => other === name).length;
      found.others += running.filter(other => other !== name).length;
      running.push(name);
    }
  }
  return found;
}

describe('turns', () => {
  it('S0-72 come one at a time in a session, and side by side in several', async () => {
    const file = join(kit.folder, 'busy.txt');
    const bridge = kit.bridge({ STUB: 'busy', STUB_FILE: file });
    const calls = ['a', 'b', 'a', 'b', 'a', 'b'].map(session =>
      bridge.call({ name: 'agent_browser_reload', args: { session } }),
    );
    for (const { result } of await Promise.all(calls)) expect(result.ok).toBe(true);
    const { own, others } = overlaps(file);
    expect(own).toBe(0);
    expect(others).toBeGreaterThan(0);
  });

  it('S0-72 S0-08 of a call without a session are those of the environment', async () => {
    const file = join(kit.folder, 'env.txt');
    const bridge = kit.bridge({ STUB: 'busy', STUB_FILE: file, AGENT_BROWSER_SESSION: 'same' });
    await Promise.all([{}, { session: 'same' }, {}].map(args => bridge.call({ name: 'agent_browser_reload', args })));
    expect(overlaps(file)).toEqual({ own: 0, others: 0 });
  });

  it('S0-72 are not needed to list sessions', async () => {
    const bridge = kit.bridge({ STUB: 'sleep', STUB_FILE: join(kit.folder, 'stuck.pid') });
    const stuck = bridge.call({ name: 'agent_browser_reload', args: { timeout_ms: 60_000 } });
    const { result } = await bridge.call({ name: 'agent_browser_session_list', args: { timeout_ms: 1_000 } });
    expect(result.signal).toBe('SIGKILL'); // it ran, although the stub never ends
    bridge.close();
    await stuck;
  });

  it('S0-72 are waited for no longer than a call may take', async () => {
    const bridge = kit.bridge({ STUB: 'sleep', STUB_FILE: join(kit.folder, 'late.pid') });
    const first = bridge.call({ name: 'agent_browser_reload', args: { timeout_ms: 60_000 } });
    const { result } = await bridge.call({ name: 'agent_browser_reload', args: { timeout_ms: 300 } });
    expect(result).toMatchObject({ ok: false, exitCode: -1 });
    expect(result.stderr).toMatch(/kept the session default busy for 300 ms/);
    bridge.close();
    await first;
  });

  it('S0-72 are given up by a call that is cancelled', async () => {
    const bridge = kit.bridge({ STUB: 'sleep', STUB_FILE: join(kit.folder, 'given-up.pid') });
    const first = bridge.call({ name: 'agent_browser_reload' });
    const stop = new AbortController();
    const second = bridge.call({ name: 'agent_browser_reload', signal: stop.signal });
    stop.abort();
    expect((await second).result.stderr).toMatch(/cancelled before its turn/);
    bridge.close();
    await first;
  });

  it('S0-72 are bounded in number', async () => {
    const bridge = kit.bridge({ STUB: 'sleep', STUB_FILE: join(kit.folder, 'many.pid') });
    const waiting = Array.from({ length: CALL_LIMIT }, () => bridge.call({ name: 'agent_browser_reload' }));
    expect((await bridge.call({ name: 'agent_browser_reload' })).result.stderr).toMatch(
      /64 calls are running or waiting/,
    );
    bridge.close();
    await Promise.all(waiting);
  });
});

describe('an attached session', () => {
  it('S0-35 S0-52 is told nothing of a browser to start, until it is closed', async () => {
    const env = { AGENT_BROWSER_EXECUTABLE_PATH: '/opt/chrome', AGENT_BROWSER_ARGS: '--x', AGENT_BROWSER_PROXY: 'p' };
    const settings = { ...kit.settings({ STUB: 'variables', ...env }), defaults: { headed: true } };
    const bridge = new Bridge(settings);
    const told = async (tool: string, args: Record<string, unknown> = {}) => {
      const { result } = await bridge.call({ name: `agent_browser_${tool}`, args });
      return { flags: result.invoked.args.slice(0, -1), ...(result.parsedJson as { data: object }).data };
    };
    const all = { flags: ['--headed', '--json'], ...env };
    const attached = { flags: ['--json'], AGENT_BROWSER_PROXY: 'p' };
    expect(await told('reload')).toEqual(all);
    await told('fill', { target: '@e1', value: 'connect' });
    expect(await told('reload')).toEqual(all);
    await told('connect', { cdp_port: 9222 });
    expect(await told('reload')).toEqual(attached);
    expect(await told('reload', { session: 'other' })).toMatchObject(env);
    await told('close');
    expect(await told('reload')).toEqual(all);
  });
});

it('S0-08 a blank session of the environment is not passed on', async () => {
  const { parsedJson } = await kit.call('agent_browser_reload', {}, { STUB: 'variables', AGENT_BROWSER_SESSION: ' ' });
  expect(parsedJson).toEqual({ success: true, data: {} });
});

describe('calls that cannot be right', () => {
  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['S0-38', 'command', { argv: ['install'] }, /"install" is not allowed/],
    ['S0-38', 'command', { argv: ['rm', '-rf'] }, /"rm" is not allowed/],
    ['S0-44', 'command', { argv: ['open', 'https://a.example', '--executable-path', '/bin/x'] }, /--executable-path/],
    ['S0-43', 'command', { argv: ['batch', 'install'] }, /"install" is not allowed/],
    ['S0-10', 'command', { argv: ['click', 'a\0b'] }, /NUL/],
    ['S0-11', 'command', { argv: ['click', 'x'.repeat(16_385)] }, /16384/],
    ['S0-44', 'fill', { target: '@e1', value: '--args' }, /value: reads as a flag/],
    ['S0-47', 'open', {}, /url is missing/],
    [
      'S0-47',
      'open',
      { url: 'https://a.example', sesion: 'x' },
      /unknown argument "sesion" \(did you mean session\?\)/,
    ],
    ['S0-22', 'open', { url: 'file:///etc/passwd' }, /rule "no file:"/],
    ['S0-55', 'upload', { target: '@e1', files: ['/etc/passwd'] }, /refused/],
    ['S0-55', 'screenshot', { path: '../a.png' }, /refused/],
  ])('%s %s is a result that says so, and nothing runs', async (_id, tool, args, why) => {
    const file = join(kit.folder, 'never');
    const result = await kit.call(`agent_browser_${tool}`, args, { STUB: 'busy', STUB_FILE: file });
    expect(RESULT.parse(result)).toMatchObject({ ok: false, exitCode: -1, signal: null, stdout: '', parsedJson: null });
    expect(result.stderr).toMatch(why);
    expect(existsSync(file)).toBe(false);
  });

  it('S0-56 because the tool does not exist are told the nearest', async () =>
    expect((await kit.call('agent_browser_clik')).stderr).toMatch(
      /no tool agent_browser_clik\.\nTools: agent_browser_click/,
    ));
});

describe('the health check', () => {
  const health = (modes: Record<string, string>, args = {}) =>
    kit.call('agent_browser_health', args, { STUB: 'version', ...modes });

  it('S0-69 tells binary, version, range and that a browser starts', async () => {
    const result = await health({ STUB_TEXT: '0.41.0' });
    expect(RESULT.parse(result)).toMatchObject({
      ok: true,
      stderr: '',
      parsedJson: {
        bin: kit.bin,
        path: kit.bin,
        version: '0.41.0',
        tested: { oldest: '0.6.0', newest: '0.41.0' },
        standing: 'supported',
        faults: [],
        browser: { starts: true },
      },
    });
    expect(JSON.parse(result.stdout)).toEqual(result.parsedJson);
  });

  it('S0-69 S0-05 tells how to get a browser when none starts', async () => {
    const result = await health({ STUB_TEXT: '0.41.0', STUB_FILE: 'x' });
    expect(result).toMatchObject({ ok: false, parsedJson: { browser: { starts: false, error: 'Chrome not found' } } });
    expect(result.stderr).toMatch(/agent-browser install --with-deps.*agent_browser_connect/);
  });

  it('14.15 tells a long reason within the limit, and that it was cut', async () => {
    const result = await health({ STUB_TEXT: '0.41.0', STUB_FILE: 'x', STUB_BYTES: '90000' });
    expect(result.truncated).toBe(true);
    expect(result.stderr.length).toBeLessThanOrEqual(25_000);
    expect(result.stderr).toMatch(/^No browser starts: Chrome not found!+\n\[cut\]\nInstall one/);
    expect(await health({ STUB_TEXT: '0.41.0', STUB_FILE: 'x' })).toMatchObject({ ok: false, truncated: false });
  });

  it('S0-69 S0-68 warns of a version that nobody tested', async () => {
    const result = await health({ STUB_TEXT: '9.0.0' }, { start_browser: false });
    expect(result).toMatchObject({ ok: true, parsedJson: { standing: 'newer', browser: null } });
    expect(result.stderr).toMatch(/9\.0\.0 is not one of those tested/);
  });

  it('S0-69 S0-68 warns of what is wrong with an old version', async () => {
    const result = await health({ STUB_TEXT: '0.6.0' }, { start_browser: false });
    expect(result).toMatchObject({
      ok: true,
      parsedJson: { standing: 'supported', faults: [expect.stringContaining('leave out frames')] },
    });
    expect(result.stderr).toMatch(/Known faults of version 0\.6\.0: snapshots leave out frames.*npm install -g/);
  });

  it('S0-69 tells that there is no program', async () => {
    const result = await health({ AGENT_BROWSER_BIN: '/no/such/program' });
    expect(result).toMatchObject({
      ok: false,
      parsedJson: { version: null, path: null, standing: null, browser: null },
    });
    expect(result.stderr).toMatch(/npm install -g agent-browser/);
  });

  it('S0-69 tells that the program knows no version', async () =>
    expect((await health({ STUB: 'say', STUB_TEXT: 'hello' })).stderr).toMatch(/told no version/));
});

describe('a wait for a url', () => {
  const waitFor = async (url: string, version: string) =>
    (await kit.call('agent_browser_wait', { url }, { STUB: 'version', STUB_TEXT: version })).invoked.args.slice(-2);

  it.each(['0.6.0', '0.19.0', '0.30.1', '0.41.0'])('S0-55 S0-68 is asked for by its pattern: %s', async version =>
    expect(await waitFor('**/done', version)).toEqual(['--url', '**/done']),
  );

  it.each([
    ['**/done.html', ['http://a.b/c/done.html'], ['http://a.b/donexhtml', 'http://a.b/done.html?x']],
    ['http://a.b/*/done', ['http://a.b/c/done'], ['http://a.b/c/d/done']],
    ['***?x=1', ['http://a.b/?x=1'], ['http://a.b/x=1']],
  ])('S0-55 S0-68 is an expression where the program knows no patterns: %s', async (pattern, fit, others) => {
    const [flag, script = ''] = await waitFor(pattern, '0.30.0');
    const fits = (href: string) => new Function('location', `return ${script}`)({ href });
    expect(flag).toBe('--fn');
    for (const url of fit) expect(fits(url)).toBe(true);
    for (const url of others) expect(fits(url)).toBe(false);
  });

  it('S0-55 S0-68 is asked for as it is when there is no pattern in it', async () =>
    expect(await waitFor('/done', '0.20.0')).toEqual(['--url', '/done']));
});

describe('a snapshot', () => {
  it.each([
    ['0.6.0', true],
    ['0.19.0', true],
    ['0.20.0', false],
    ['0.21.4', false],
    ['0.22.2', false],
    ['0.22.3', true],
    ['0.41.0', true],
  ])('S0-24 S0-68 of version %s is asked for compact: %s', async (version, isCompact) => {
    const { invoked } = await kit.call('agent_browser_snapshot', {}, { STUB: 'version', STUB_TEXT: version });
    expect(invoked.args.includes('-c')).toBe(isCompact);
  });
});

describe('a picture', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
  const shown = async (path: string, bytes: Buffer) => {
    writeFileSync(path, bytes);
    const text = JSON.stringify({ success: true, data: { path } });
    return (await kit.bridge({ STUB: 'say', STUB_TEXT: text }).call({ name: 'agent_browser_screenshot' })).picture;
  };

  it('S0-55 is shown beside the result', async () =>
    expect(await shown(join(kit.folder, 'a.png'), PNG)).toEqual({ bytes: PNG, mimeType: 'image/png' }));

  it('S0-55 is shown when an old version gives it instead of a file', async () => {
    const text = JSON.stringify({ success: true, data: { base64: PNG.toString('base64') } });
    const { picture } = await kit.bridge({ STUB: 'say', STUB_TEXT: text }).call({ name: 'agent_browser_screenshot' });
    expect(picture).toEqual({ bytes: PNG, mimeType: 'image/png' });
  });

  it('S0-55 is not shown when it is none, or too large', async () => {
    expect(await shown(join(kit.folder, 'b.png'), Buffer.from('text'))).toBeUndefined();
    expect(await shown(join(kit.folder, 'c.png'), Buffer.concat([PNG, Buffer.alloc(6 << 20)]))).toBeUndefined();
  });

  it('S0-55 is not shown when the result names no file', async () => {
    const { result, picture } = await kit
      .bridge({ STUB: 'say', STUB_TEXT: '{"success":true,"data":{"path":"a.png"}}' })
      .call({ name: 'agent_browser_screenshot' });
    expect(result.ok).toBe(true);
    expect(picture).toBeUndefined();
  });
});
