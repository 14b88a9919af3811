// The file of a trace: whole JSON, however much comes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TraceFile } from '../../../src/engine/trace/file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const made = async (most?: number) => {
  const file = new TraceFile(join(folder, 'trace.json'), Date.UTC(2026, 0, 1), most);
  for (let chunk = 0; chunk < 100; chunk++) file.write([{ name: 'One' }, { name: 'Zwölf', chunk }]);
  await file.end();
  return file;
};

it('holds the events and when it began, in the form that DevTools opens', async () => {
  const file = await made();
  const { traceEvents, metadata } = JSON.parse(readFileSync(file.path, 'utf8'));
  expect(traceEvents).toHaveLength(200);
  expect(traceEvents[1]).toEqual({ name: 'Zwölf', chunk: 0 });
  expect(metadata).toEqual({ source: 'Tabwright', startTime: '2026-01-01T00:00:00.000Z' });
  expect([file.events, file.cut, file.bytes]).toEqual([200, false, readFileSync(file.path).length]);
});

it('is cut between two events when it gets too large', async () => {
  const file = await made(1_000);
  const { traceEvents } = JSON.parse(readFileSync(file.path, 'utf8'));
  expect(file.cut).toBe(true);
  expect(traceEvents).toHaveLength(file.events);
  expect(file.bytes).toBeLessThan(1_300);
});

it('is saved under another name, packed when that says so', async () => {
  const plain = await (await made()).saveAs(join(folder, 'a.json'));
  expect(plain.bytes).toBe(readFileSync(plain.path).length);
  const packed = await (await made()).saveAs(join(folder, 'b.JSON.GZ'));
  expect(gunzipSync(readFileSync(packed.path)).equals(readFileSync(plain.path))).toBe(true);
  expect(packed.bytes).toBeLessThan(plain.bytes);
  expect(readdirSync(folder).sort()).toEqual(['a.json', 'b.JSON.GZ']);
});
