// A server that is killed while it writes profiles: the file holds what was before or what came after, never anything else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProfileStore } from '../../../src/session/profiles/store.ts';

/** After its first write; a write takes about 5 ms. */
const MOST_MS = 25;

let folder: string;
let writer: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  writer = join(folder, 'writer.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'writer.ts')],
    outfile: writer,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lets a process write for a moment, kills it, and gives the last state that it told. */
async function killedWriter(file: string, from: number): Promise<number> {
  const child = spawn(process.execPath, [writer, file, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.on('data', chunk => {
    told += String(chunk);
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  await setTimeout(Math.random() * MOST_MS);
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(told.trim().split('\n').at(-1));
}

describe.each([
  ['profiles.json', 24],
  ['config.toml', 8],
])('%s', (name, rounds) => {
  it(`is whole after each of ${rounds} kills, and no state that was told is lost`, async () => {
    const file = join(folder, name);
    let last = 0;
    let unseen = 0;
    for (let round = 0; round < rounds; round++) {
      const told = await killedWriter(file, last);
      const profiles = await new ProfileStore(file).all();
      expect(profiles).toHaveLength(40);
      const states = new Set(profiles.flatMap(one => [one.name, ...one.description.trim().split(' ')]));
      expect([...states]).toHaveLength(1);
      last = Number([...states][0]);
      // What it was just writing when it was killed is there as well, or it is not.
      expect([told, told + 1]).toContain(last);
      if (last > told) unseen++;
    }
    console.log(`${last} states written, ${unseen} kills after the file was replaced and before that was told`);
  }, 120_000);
});
