// `tabwright install` as it is typed, on this machine and with browsers that are broken.
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { progress } from '../../../src/surfaces/cli/output/progress.ts';
import { BODIES, childOf, fake, runs } from '../../engine/browser/fakes.ts';
import { temporaryFolder } from '../process.ts';
import { runCommand, startCommand } from './command.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('install', () => {
  it('says which browser is there, and where, at once', async () => {
    const { code, stdout, stderr } = await runCommand(folder.path, ['install']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\D+ \d+\.\d+\.\d+\.\d+ at \S.*\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ['failing', 'does not start: ended with code 1 (something is wrong).'],
    ['lacking', 'lacks a library that it needs: libnss3.so.'],
    ['stub', 'is only a stub that asks for its snap package.'],
  ] as const)('does not accept a given one that is %s', async (kind, problem) => {
    const path = fake(folder.path, kind, BODIES[kind]);
    const { code, stdout, stderr } = await runCommand(folder.path, ['install', '--executable-path', path]);
    expect(stderr).toBe(
      `tabwright: The browser at ${path} ${problem} Check --executable-path, or leave it out to find or install one.\n`,
    );
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('ends at once with Ctrl-C, and so does what it started', async () => {
    const path = fake(folder.path, 'hanging', BODIES.hanging);
    const { child, printed } = startCommand(folder.path, ['install', '--executable-path', path]);
    await vi.waitUntil(() => existsSync(`${path}.child`) && childOf(path) > 0, { timeout: 10_000 });
    child.kill('SIGINT');
    const { code, stderr } = await printed;
    expect(stderr).toBe('tabwright: The installation was interrupted.\n');
    expect(code).toBe(1);
    await vi.waitUntil(() => !runs(childOf(path)), { timeout: 5_000 });
  });

  it('has nothing to do where a running browser is attached to', async () => {
    const flags = ['--cdp-endpoint', 'http://127.0.0.1:9222'];
    const { code, stdout } = await runCommand(folder.path, ['install', ...flags]);
    expect(stdout).toMatch(/^Nothing to install/);
    expect(code).toBe(0);
  });

  it('refuses what it does not know', async () => {
    expect(await runCommand(folder.path, ['install', 'firefox'])).toMatchObject({ code: 2 });
  });
});

describe('the progress', () => {
  const written = (isTTY: boolean) => {
    let text = '';
    return {
      isTTY,
      columns: 60,
      write: (part: string) => (text += part),
      get text() {
        return text;
      },
    };
  };

  it('is a line per step in a pipe', () => {
    const out = written(false);
    const told = progress(out);
    told.step('Downloading');
    told.moved('of 170 MiB', 0.5);
    told.note('That failed.');
    told.end();
    expect(out.text).toBe('Downloading…\nThat failed.\n');
  });

  it('is one line that moves on a terminal, no longer than that, and gone at the end', () => {
    vi.useFakeTimers();
    try {
      const out = written(true);
      const told = progress(out);
      told.step('Downloading');
      told.moved(`of ${'x'.repeat(100)}`, 0.5);
      vi.advanceTimersByTime(3_000);
      const drawn = out.text.split('\r\u001b[K').at(-1);
      expect(drawn).toMatch(/^Downloading {2}\[={10} {10}\] 50 % {2}3 s {2}of x+$/);
      expect(drawn).toHaveLength(59);
      told.end();
      expect(out.text.endsWith('\r\u001b[K')).toBe(true);
      const length = out.text.length;
      vi.advanceTimersByTime(3_000);
      expect(out.text).toHaveLength(length);
    } finally {
      vi.useRealTimers();
    }
  });
});
