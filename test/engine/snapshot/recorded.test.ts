// Recorded pages, printed in every mode, against what they printed when a person last read them (recorded/*.txt).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decode, type ProcessSnapshot } from '../../../src/engine/snapshot/capture/decode.ts';
import type { SnapPage } from '../../../src/engine/snapshot/capture/node.ts';
import { PAGES } from './recorded/pages.ts';
import { showAll } from './show.ts';

const load = (name: string): SnapPage =>
  decode(JSON.parse(readFileSync(new URL(`./recorded/${name}.json`, import.meta.url), 'utf8')) as ProcessSnapshot[]);

describe.each(PAGES)('%s', name => {
  test('full, compact and interactive', async () => {
    const texts = [
      showAll(load(name)).text,
      showAll(load(name), { compact: true, includeBounds: true }).text,
      showAll(load(name), { mode: 'interactive' }).text,
    ];
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`./recorded/${name}.txt`);
  });

  test('an unchanged page prints the same twice', () => {
    const page = load(name);
    expect(showAll(page).text).toBe(showAll(page).text);
    expect(showAll(page).text).toBe(showAll(load(name)).text);
  });

  test('every hit of the compact view is in the interactive one', () => {
    const hits = (mode: 'full' | 'interactive') =>
      new Set(showAll(load(name), { mode, includeText: false, compact: true }).refs);
    const full = hits('full');
    for (const hit of hits('interactive')) expect(full).toContain(hit);
  });
});
