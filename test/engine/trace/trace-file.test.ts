// What Chrome hands over is written line by line, up to a size.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filteredPath, TraceFile } from '../../../src/engine/trace/trace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const made = async (most?: number) => {
  const file = new TraceFile(join(folder, 'trace.raw'), 0, most);
  for (let chunk = 0; chunk < 100; chunk++) file.write([{ name: 'One' }, { name: 'Zw\u00f6lf', chunk }]);
  await file.end();
  return file;
};
const linesOf = ({ path }: TraceFile) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

it('holds an event on each line, for nobody else to read', async () => {
  const file = await made();
  expect(linesOf(file)).toHaveLength(200);
  expect(linesOf(file)[1]).toEqual({ name: 'Zw\u00f6lf', chunk: 0 });
  expect(file.cut).toBe(false);
  if (process.platform !== 'win32') expect(statSync(file.path).mode & 0o777).toBe(0o600);
});

it('is cut between two events when it gets too large', async () => {
  const file = await made(1_000);
  expect(file.cut).toBe(true);
  expect(linesOf(file).length).toBeGreaterThan(10);
  expect(readFileSync(file.path).length).toBeLessThan(1_100);
});

it('gives its name to what was kept of it, and leaves nothing else', async () => {
  const file = await made();
  writeFileSync(filteredPath(file.path), 'kept');
  expect(await file.saveAs(join(folder, 'a.json'))).toEqual({ path: join(folder, 'a.json'), bytes: 4 });
  await file.remove();
  expect(readdirSync(folder)).toEqual(['a.json']);
});
