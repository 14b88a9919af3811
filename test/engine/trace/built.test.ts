// Traces as they are shipped: the reader is a program of its own, on each runtime, and nothing else carries its weight.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SlowSite, startSlowSite } from './slow-site.ts';

const BUN = resolve('node_modules/.bin/bun');
const READER = resolve('dist/parts/trace-reader.js');
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
const recorded = join(folder, 'slow.raw');
let site: SlowSite;
beforeAll(async () => {
  const packed = readFileSync(join(import.meta.dirname, 'recorded', 'slow.json.gz'));
  const { traceEvents } = JSON.parse(gunzipSync(packed).toString()) as { traceEvents: object[] };
  writeFileSync(recorded, traceEvents.map(event => JSON.stringify(event)).join('\n'));
  site = await startSlowSite();
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

describe('the reader', { timeout: 60_000 }, () => {
  it('tells the same on Node and on Bun', async () => {
    const [node, bun] = await Promise.all([process.execPath, BUN].map(program => run(program, [READER, recorded])));
    expect(JSON.parse(node?.stdout ?? '')).toMatchObject({ reading: { lcp: { element: 'img#hero' } } });
    expect(bun?.stdout).toBe(node?.stdout);
  });

  it('is not loaded with the server, nor is the library that it is made of', () => {
    const loaded = partsOf('dist/tabwright.js', new Set());
    expect(loaded.size).toBeGreaterThan(10);
    expect(
      [...loaded].filter(path => readFileSync(path, 'utf8').includes('largestContentfulPaint::Candidate')),
    ).toEqual([]);
  });
});

describe.each([
  ['Node', [process.execPath, resolve('dist/tabwright.js')]],
  ['Bun', [BUN, resolve('dist/tabwright.js')]],
  ['Bun, from source', [BUN, resolve('src/main.ts')]],
] as const)('a trace on %s', (_, [program, script]) => {
  it('is recorded, read and saved', { timeout: 90_000 }, async () => {
    const input = {
      action: 'start',
      mode: 'trace',
      url: `${site.url}/plain`,
      auto_stop: true,
      save_path: 'plain.json.gz',
    };
    const folders = ['--output-dir', folder, '--state-dir', join(folder, 'state')];
    const { stdout } = await run(program, [script, 'call', 'capture', JSON.stringify(input), ...folders], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^Trace of \d+(\.\d)? s: http:\/\/127\.0\.0\.1:\d+\/plain\.\nLCP \d+ ms: h1 /);
    expect(stdout).toMatch(/^Saved to .*plain\.json\.gz \(/m);
  });
});

/** What a start may load, at once or later. */
function partsOf(path: string, found: Set<string>): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(
    /(?:from|import\()\s*["'](\.{1,2}\/[\w./-]+\.js)["']/g,
  ))
    partsOf(join(path, '..', name), found);
  return found;
}
