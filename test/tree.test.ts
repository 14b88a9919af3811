// The maps of the tree in README.md and ARCHITECTURE.md name every folder, and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The first word of each line of the code block that begins with this line. */
function mapped(file: string, firstLine: RegExp): string[] {
  const block = readFileSync(file, 'utf8')
    .split('```')
    .find(part => firstLine.test(part));
  return (block ?? '')
    .split('\n')
    .map(line => /^[\w./-]+/.exec(line)?.[0] ?? '')
    .filter(Boolean);
}

const folders = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => `${entry.parentPath}/${entry.name}/`.split(sep).join('/'))
  .concat('src/');

describe('the map of the tree', () => {
  it('in ARCHITECTURE.md names every folder of src, and no other', () => {
    expect(mapped('ARCHITECTURE.md', /^\nsrc\/ /).sort()).toEqual(folders.sort());
  });

  it('in README.md names every part of src, and no other', () => {
    const parts = readdirSync('src', { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => `src/${name}/`);
    const inReadme = mapped('README.md', /^\nsrc\/main\.ts/).filter(path => path.startsWith('src/'));
    expect(inReadme.sort()).toEqual(['src/main.ts', ...parts].sort());
  });
});
