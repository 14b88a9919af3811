// In-page functions are put together into one script: two of one name would break it, and the built server only.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every in-page function has a name of its own', async () => {
  const source = readFileSync('src/engine/inpage/source.ts', 'utf8');
  const paths = [...source.matchAll(/^import \* as \w+ from '(.*)';$/gm)].map(([, path]) => path ?? '');
  expect(paths.length).toBeGreaterThan(10);
  const modules = await Promise.all(paths.map(path => import(`../../src/engine/inpage/${path}`)));
  const names = modules.flatMap(module => Object.keys(module));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
