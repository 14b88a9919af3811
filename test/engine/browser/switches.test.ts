// The switches of a launched Chrome.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { allSwitches, PLAYWRIGHTS_DISABLED, switches } from '../../../src/engine/browser/switches.ts';

const DISABLE = '--disable-features=';
/** Where the browser keeps its files and how it is spoken to: given by whoever starts it. */
const OWN = /^--(user-data-dir|remote-debugging-pipe|no-startup-window)/;

/** What Playwright itself starts a browser with, told by a program that stands in for one. */
async function playwrights(headless: boolean): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  const executablePath = join(folder, 'browser');
  writeFileSync(executablePath, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/args'\nexit 1\n`);
  chmodSync(executablePath, 0o755);
  await chromium.launch({ executablePath, headless, chromiumSandbox: true }).catch(() => undefined);
  const args = readFileSync(join(folder, 'args'), 'utf8').trim().split('\n');
  rmSync(folder, { recursive: true });
  return args.filter(arg => !OWN.test(arg));
}

it.each([true, false])('are those of this Playwright, headless: %s', async headless => {
  const theirs = await playwrights(headless);
  expect(theirs.length).toBeGreaterThan(20);
  const ours = allSwitches([], { headed: !headless, sandbox: true });
  expect(ours).toEqual(expect.arrayContaining(theirs.filter(arg => !arg.startsWith(DISABLE))));
  expect(`${DISABLE}${PLAYWRIGHTS_DISABLED.join(',')}`).toBe(theirs.find(arg => arg.startsWith(DISABLE)));
});

it('leave the sandbox away only when told so', () => {
  expect(allSwitches([], { headed: false, sandbox: true })).not.toContain('--no-sandbox');
  expect(allSwitches([], { headed: false, sandbox: false })).toContain('--no-sandbox');
});

it('join what the user turns off with the rest, in one switch', () => {
  const made = switches(['--lang=de', '--disable-features=A,B']);
  const disabling = made.filter(arg => arg.startsWith(DISABLE));
  expect(disabling).toHaveLength(1);
  expect(disabling[0]).toMatch(/MediaRouter.*,A,B$/);
  expect(made).toContain('--lang=de');
});
