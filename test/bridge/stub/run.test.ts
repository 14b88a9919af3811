// One run over a stub: how it ends (S0-12, S0-13, S0-21, S0-62), what is kept of its output (S0-14 to S0-19, S0-58), what is saved.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Bridge } from '../../../src/bridge/bridge.ts';
import { runAgentBrowser, saveResult } from '../../../src/bridge/cli/run.ts';
import { textOf } from '../../../src/bridge/show-result.ts';
import { RESULT } from '../../../src/bridge/types.ts';
import { isAlive } from '../../surfaces/process.ts';
import { type StubKit, settingsFor, stubKit } from '../kit.ts';

let kit: StubKit;
beforeAll(() => {
  kit = stubKit();
});
afterAll(() => kit.remove());

const say = (text: string, more: Record<string, string> = {}) =>
  kit.call('agent_browser_reload', {}, { STUB: 'say', STUB_TEXT: text, ...more });

const pids = (file: string): number[] => readFileSync(file, 'utf8').split(' ').map(Number);
const written = (file: string) =>
  vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/\d/), { timeout: 20_000, interval: 20 });

describe('an end', () => {
  it('S0-19 with JSON and exit code 0', async () => {
    const text = '{"success":true,"data":{"a":1},"error":null}\n';
    expect(await say(text)).toEqual({
      ok: true,
      exitCode: 0,
      signal: null,
      invoked: { bin: kit.bin, args: ['--json', 'reload'] },
      stdout: text,
      stderr: '',
      parsedJson: { success: true, data: { a: 1 }, error: null },
      truncated: false,
    });
  });

  it('S0-21 with another exit code is a result too', async () => {
    const result = await kit.call(
      'agent_browser_reload',
      {},
      { STUB: 'fail', STUB_TEXT: '{"success":false,"error":"no"}' },
    );
    expect(result).toMatchObject({ ok: false, exitCode: 3, signal: null, parsedJson: { error: 'no' } });
  });

  it('S0-21 with a failure in the JSON is none, whatever the exit code', async () =>
    expect(await say('{"success":false,"error":"no"}')).toMatchObject({ ok: false, exitCode: 0 }));

  it('S0-13 S0-62 by SIGKILL when the time is over, for all that it started', async () => {
    const file = join(kit.folder, 'sleep.pid');
    const result = await kit.call('agent_browser_reload', { timeout_ms: 4_000 }, { STUB: 'sleep', STUB_FILE: file });
    expect(result).toMatchObject({ ok: false, exitCode: null, signal: 'SIGKILL', parsedJson: null });
    expect(result.stderr).toMatch(/killed: it did not end within 4000 ms/);
    const ids = pids(file);
    expect(ids).toHaveLength(2);
    await vi.waitFor(() => expect(ids.filter(isAlive)).toEqual([]), { timeout: 5_000 });
  });

  it('S0-62 by SIGKILL when the call is cancelled', async () => {
    const file = join(kit.folder, 'cancel.pid');
    const stop = new AbortController();
    const asked = kit
      .bridge({ STUB: 'sleep', STUB_FILE: file })
      .call({ name: 'agent_browser_reload', signal: stop.signal });
    await written(file);
    stop.abort();
    const { result } = await asked;
    expect(result).toMatchObject({ ok: false, signal: 'SIGKILL' });
    expect(result.stderr).toMatch(/cancelled/);
    await vi.waitFor(() => expect(pids(file).filter(isAlive)).toEqual([]), { timeout: 5_000 });
  });

  it('S0-62 of all that runs when the server ends', async () => {
    const file = join(kit.folder, 'end.pid');
    const bridge = kit.bridge({ STUB: 'sleep', STUB_FILE: file });
    const asked = bridge.call({ name: 'agent_browser_reload' });
    await written(file);
    bridge.close();
    expect((await asked).result.signal).toBe('SIGKILL');
    expect((await bridge.call({ name: 'agent_browser_reload' })).result).toMatchObject({ exitCode: -1 });
  });

  it('S0-13 comes although a daemon that was left behind holds the pipes', async () => {
    const file = join(kit.folder, 'daemon.pid');
    const result = await kit.call('agent_browser_open', { url: 'about:blank' }, { STUB: 'daemon', STUB_FILE: file });
    const [daemon = 0] = pids(file);
    try {
      expect(result).toMatchObject({ ok: true, parsedJson: { success: true } });
      expect(isAlive(daemon)).toBe(true);
    } finally {
      process.kill(daemon, 'SIGKILL');
    }
  });

  it('S0-12 never comes from a shell', async () => {
    const file = join(kit.folder, 'shell');
    const words = [`; touch ${file}`, `$(touch ${file})`, `\`touch ${file}\``, `| touch ${file}`, `> ${file}`];
    for (const text of words) await kit.call('agent_browser_fill', { target: '#a', value: text });
    expect(existsSync(file)).toBe(false);
  });
});

describe('a program that cannot be run', () => {
  const over = async (bin: string) =>
    (await new Bridge(settingsFor(kit.folder, { AGENT_BROWSER_BIN: bin })).call({ name: 'agent_browser_reload' }))
      .result;

  it('S0-04 S0-56 because it is missing is one clear result, with the command that installs it', async () => {
    const result = await over('/no/such/agent-browser');
    expect(RESULT.parse(result)).toMatchObject({ ok: false, exitCode: -1, invoked: { bin: '/no/such/agent-browser' } });
    expect(result.stderr).toMatch(/was not found\.\nInstall it: npm install -g agent-browser && agent-browser install/);
  });

  it('S0-56 because it may not', async () => {
    const file = join(kit.folder, 'plain.txt');
    writeFileSync(file, 'text', { mode: 0o644 });
    expect((await over(file)).stderr).toMatch(/may not be run/);
  });

  it('S0-56 leaves no file behind that it should have filled', async () => {
    const settings = settingsFor(kit.folder, { AGENT_BROWSER_BIN: '/no/such/program' });
    await runAgentBrowser({ argv: ['reload'], save_output_path: 'nothing.json' }, settings);
    expect(readdirSync(kit.folder).filter(name => name.startsWith('nothing'))).toEqual([]);
  });
});

describe('output', () => {
  it('S0-16 that is too long is cut and flagged', async () => {
    const { stdout, truncated, parsedJson } = await say('x'.repeat(25_001));
    expect({ length: stdout.length, truncated, parsedJson }).toEqual({
      length: 25_000,
      truncated: true,
      parsedJson: null,
    });
  });

  it('S0-16 of exactly the limit is not', async () => {
    const { stdout, truncated } = await say('x'.repeat(25_000));
    expect({ length: stdout.length, truncated }).toEqual({ length: 25_000, truncated: false });
  });

  it('S0-15 that is JSON stays whole', async () => {
    const text = JSON.stringify({ data: 'x'.repeat(90_000) });
    const { stdout, truncated, parsedJson } = await say(text);
    expect(truncated).toBe(false);
    expect(stdout).toBe(text);
    expect(parsedJson).toEqual(JSON.parse(text));
  });

  it('S0-17 that is half a JSON gives no value', async () =>
    expect(await say('{"success":true,"data":{"snapshot":"- hea')).toMatchObject({
      ok: true,
      parsedJson: null,
      truncated: false,
    }));

  it('S0-15 S0-16 on stderr is always bounded', async () => {
    const text = JSON.stringify(['x'.repeat(90_000)]);
    const { stderr, truncated } = await kit.call('agent_browser_reload', {}, { STUB: 'complain', STUB_TEXT: text });
    expect({ length: stderr.length, truncated }).toEqual({ length: 25_000, truncated: true });
  });

  it('S0-63 in pieces that split characters is put together', async () => {
    const { stdout } = await kit.call(
      'agent_browser_reload',
      {},
      { STUB: 'stutter', STUB_TEXT: 'zwölf Boxkämpfer 🥊 über 日本' },
    );
    expect(stdout).toBe('zwölf Boxkämpfer 🥊 über 日本');
  });

  it.each(['flood', 'floodErrors'])('S0-58 of 50 MB is bounded (%s)', async mode => {
    const result = await kit.call('agent_browser_reload', {}, { STUB: mode, STUB_BYTES: String(50_000_000) });
    const stream = mode === 'flood' ? result.stdout : result.stderr;
    expect(result).toMatchObject({ exitCode: 0, truncated: true, parsedJson: null });
    expect(stream).toHaveLength(25_000);
    expect(stream).toContain('50000000 characters in all');
  });

  it('S0-58 of 50 MB that begins like JSON is bounded too', async () => {
    const result = await kit.call(
      'agent_browser_reload',
      {},
      { STUB: 'flood', STUB_TEXT: '[', STUB_BYTES: String(50_000_000) },
    );
    expect(result).toMatchObject({ truncated: true, parsedJson: null });
    expect(result.stdout.length).toBeLessThanOrEqual(25_000);
  });

  it('S0-58 of more than 256 MiB ends the run', async () => {
    const result = await kit.call('agent_browser_reload', {}, { STUB: 'flood', STUB_BYTES: String(300 * 1024 * 1024) });
    expect(result).toMatchObject({ ok: false, signal: 'SIGKILL' });
    expect(result.stderr).toMatch(/wrote more than/);
  });
});

describe('save_output_path', () => {
  const save = (path: string, modes: Record<string, string>) =>
    kit.call('agent_browser_snapshot', { save_output_path: path }, modes);

  it('S0-18 S0-50 keeps the whole output, and the result leaves it out', async () => {
    const text = JSON.stringify({ success: true, data: { snapshot: 'x'.repeat(100_000) } });
    const result = await save('deep/er/snapshot.json', { STUB: 'say', STUB_TEXT: text });
    const path = join(kit.folder, 'deep/er/snapshot.json');
    expect(result).toMatchObject({ ok: true, stdout: '', parsedJson: null, truncated: false, savedOutputPath: path });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('14.15 of a long plain text is no cut either: the file has all of it', async () => {
    const result = await save('plain.txt', { STUB: 'flood', STUB_BYTES: '90000' });
    expect(result).toMatchObject({ ok: true, stdout: '', truncated: false });
    expect(statSync(join(kit.folder, 'plain.txt')).size).toBe(90_000);
  });

  it('14.15 keeps stderr too, in a file that the cut names', async () => {
    const result = await save('loud.txt', { STUB: 'floodErrors', STUB_BYTES: '90000' });
    const path = join(kit.folder, 'loud.txt');
    expect(result).toMatchObject({ ok: true, truncated: true, savedOutputPath: path });
    expect(result.stderr).toHaveLength(25_000);
    expect(result.stderr).toMatch(/x\n\[cut: 90000 characters in all; they are in \S+loud\.txt\.stderr\]$/);
    expect(readFileSync(`${path}.stderr`, 'utf8')).toBe('x'.repeat(90_000));
    expect(textOf(result, 25_000)).toContain(`all of it is in ${path}.stderr]`);
  });

  it('14.15 makes no file for a stderr that is empty', async () => {
    await save('quiet.txt', { STUB: 'say', STUB_TEXT: 'x' });
    expect(readdirSync(kit.folder).filter(name => name.startsWith('quiet'))).toEqual(['quiet.txt']);
  });

  it('14.15 of a killed call has its stderr, cut once, and why it was killed', async () => {
    const file = join(kit.folder, 'loud.pid');
    const stop = new AbortController();
    const asked = kit.bridge({ STUB: 'sleep', STUB_FILE: file, STUB_BYTES: '90000' }).call({
      name: 'agent_browser_reload',
      args: { save_output_path: 'killed.txt' },
      signal: stop.signal,
    });
    await written(file);
    stop.abort();
    const { result } = await asked;
    expect(result.stderr).toHaveLength(25_000);
    expect(result.stderr).toMatch(/^agent-browser was killed: the call was cancelled\.\nx/);
    expect(result.stderr).toMatch(/\[cut: 90000 characters in all; they are in \S+killed\.txt\.stderr\]$/);
    expect(result.stderr.match(/\[cut/g)).toHaveLength(1);
    const kept = readFileSync(join(kit.folder, 'killed.txt.stderr'), 'utf8');
    expect(kept).toBe(`${'x'.repeat(90_000)}agent-browser was killed: the call was cancelled.`);
  });

  it('14.15 of several runs that give no result leaves no file behind', async () => {
    const broken = () => Promise.reject(new Error('no'));
    await expect(saveResult(broken, { save_output_path: 'several.json' }, kit.settings())).rejects.toThrow('no');
    expect(readdirSync(kit.folder).filter(name => name.startsWith('several'))).toEqual([]);
  });

  it('S0-18 takes 50 MB', async () => {
    await save('flood.txt', { STUB: 'flood', STUB_BYTES: String(50_000_000) });
    expect(statSync(join(kit.folder, 'flood.txt')).size).toBe(50_000_000);
  });

  it('S0-18 of a failed call keeps the reason in the result too', async () => {
    const result = await save('failed.json', { STUB: 'fail', STUB_TEXT: '{"success":false,"error":"no"}' });
    expect(result).toMatchObject({
      ok: false,
      parsedJson: { error: 'no' },
      savedOutputPath: expect.stringMatching(/failed\.json$/),
    });
  });

  it.each(['/tmp/x.json', '../x.json', 'a/../../x.json', 'C:\\x.json', '.hidden', 'a\0b'])(
    'S0-18 S0-64 %j is refused, and nothing runs',
    async path => {
      const file = join(kit.folder, 'ran.pid');
      const result = await save(path, { STUB: 'busy', STUB_FILE: file });
      expect(result).toMatchObject({ ok: false, exitCode: -1 });
      expect(existsSync(file)).toBe(false);
    },
  );

  it('S0-18 that fails is told, although the command succeeded', async () => {
    const modes = { STUB: 'spoil', STUB_FILE: join(kit.folder, 'gone'), STUB_TEXT: '{"success":true}' };
    const result = await save('gone/a.json', modes);
    expect(result).toMatchObject({ ok: false, exitCode: 0, parsedJson: { success: true } });
    expect(result.stderr).toMatch(/could not be saved to .*a\.json/);
    expect(result).not.toHaveProperty('savedOutputPath');
  });

  it('S0-69 works for the health check too', async () => {
    const args = { start_browser: false, save_output_path: 'health.json' };
    const result = await kit.call('agent_browser_health', args, { STUB: 'version', STUB_TEXT: '0.41.0' });
    expect(result).toMatchObject({ ok: true, stdout: '', savedOutputPath: join(kit.folder, 'health.json') });
    expect(JSON.parse(readFileSync(join(kit.folder, 'health.json'), 'utf8'))).toMatchObject({ version: '0.41.0' });
  });
});
