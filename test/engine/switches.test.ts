// The switches of a launched Chrome.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PLAYWRIGHTS_DISABLED, switches } from '../../src/engine/switches.ts';

it('repeats the features that this Playwright turns off', () => {
  const root = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const source = readFileSync(join(root, 'lib/coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[(.*?)\]\.filter/s.exec(source)?.[1] ?? '';
  const names = [...list.matchAll(/^\s*"(\w+)"/gm)].map(match => match[1]);
  expect(names.length).toBeGreaterThan(5);
  expect(PLAYWRIGHTS_DISABLED).toEqual(names);
});

it('joins what the user turns off with it, in one switch', () => {
  const made = switches(['--lang=de', '--disable-features=A,B']);
  const disabling = made.filter(arg => arg.startsWith('--disable-features='));
  expect(disabling).toHaveLength(1);
  expect(disabling[0]).toMatch(/MediaRouter.*,A,B$/);
  expect(made).toContain('--lang=de');
});
