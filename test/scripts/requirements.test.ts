// npm run requirements: which requirements no test cites.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { citedIn, compare, uncalledIn } from '../../scripts/requirements.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('ids in tests', () => {
  it('are found in names and tables, in every folder, but not in comments', async () => {
    mkdirSync(join(folder.path, 'deep'));
    const name = (number: number) => `S9-${number}`;
    writeFileSync(
      join(folder.path, 'a.test.ts'),
      `// About ${name(1)}.\nit('${name(2)} works (${name(3)}, ${name(4)})', () => {});\n  /** ${name(5)}\n * ${name(6)} */\nconst glob = '/**'; // ${name(7)}`,
    );
    writeFileSync(join(folder.path, 'deep', 'table.ts'), `export const T = [{ id: '${name(8)}', url: '**/' }];`);
    writeFileSync(join(folder.path, 'deep', 'notes.md'), name(9));
    expect([...(await citedIn(folder.path))].sort()).toEqual([2, 3, 4, 7, 8].map(name));
  });
});

describe('rows about a tool', () => {
  it('count only with a test that calls it, by itself or by a function of its file', async () => {
    const own = temporaryFolder();
    const id = (number: number) => `S9-${number}`;
    const code = [
      "const helper = () => call('hover');",
      `it('${id(1)} click', () => {\n  call('click');\n});`,
      `it('${id(2)} hover', () => {\n  helper();\n});`,
      `it('${id(3)} press', () => {\n  call('click');\n});`,
    ];
    writeFileSync(join(own.path, 'a.test.ts'), code.join('\n'));
    const ids = { [id(1)]: 'click', [id(2)]: 'hover', [id(3)]: 'press', [id(4)]: 'Something else' };
    expect(await uncalledIn(own.path, ids)).toEqual([`${id(3)} press`]);
    own.remove();
  });
});

describe('this project', () => {
  it.each([
    ['S0', 72],
    ['S1', 93],
    ['S3', 40],
  ])('has a test for every requirement of %s', async (group, all) => {
    const ids = JSON.parse(readFileSync('test/requirements/ids.json', 'utf8'));
    expect(compare(ids, await citedIn('test'), `${group}-`)).toEqual({ missing: [], unknown: [], all });
  });
});

it('14 the list of rows whose tests do not call the tool is empty', async () => {
  const ids = JSON.parse(readFileSync('test/requirements/ids.json', 'utf8'));
  expect(await uncalledIn('test', ids)).toEqual([]);
});

it('14 the table of differences names rows that exist, each difference once', () => {
  const rows = readFileSync('docs/differences.md', 'utf8')
    .split('\n')
    .filter(line => /^\| [^|]+ \| [SC]\d*-/.test(line));
  const cells = rows.map(row => row.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')));
  expect(cells.filter(row => row.length !== 5 || row.includes(''))).toEqual([]);
  const ids = JSON.parse(readFileSync('test/requirements/ids.json', 'utf8'));
  // Rows about files of the source, about later work and about conflicts are not listed for tests.
  const unlisted = /^(?:S2-(?:34|F\d+)|C-\d\d)$/;
  const named = cells.flatMap(([, id = '']) => id.split(', '));
  expect(named.filter(id => !Object.hasOwn(ids, id) && !unlisted.test(id))).toEqual([]);
  expect(new Set(cells.map(([, id, says]) => `${id} ${says}`)).size).toBe(cells.length);
});

describe('the report', () => {
  const ids = { 'A-1': 'first', 'A-2': 'second', 'B-1': 'other' };

  it('names what is missing, in a group or in all', () => {
    expect(compare(ids, new Set(['A-1']))).toEqual({ missing: ['A-2 second', 'B-1 other'], unknown: [], all: 3 });
    expect(compare(ids, new Set(['A-1']), 'A-')).toEqual({ missing: ['A-2 second'], unknown: [], all: 2 });
  });

  it('names ids that nobody asked for', () => {
    expect(compare(ids, new Set(['A-9', 'Z-1'])).unknown).toEqual(['A-9']);
  });
});
