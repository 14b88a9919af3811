import { it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { startOpen } from './sites.ts';

it('measure', async () => {
  const open = await startOpen();
  const kits: Record<string, Kit> = {
    none: await startKit(),
    none2: await startKit(),
    host: await startKit(
      '--block-urls',
      'evil.test',
      '--block-private',
      '--allow-urls',
      '127.0.0.1',
      '--allow-urls',
      'x.test',
    ),
    path: await startKit('--block-urls', 'evil.test/x/**'), samehost: await startKit('--block-urls', `127.0.0.1:${open.port}/never/**`),
  };
  const times: Record<string, number[]> = {};
  const many: Record<string, number[]> = {};
  const url = `http://127.0.0.1:${open.port}/home`;
  for (let i = 0; i < 45; i++)
    for (const [n, k] of Object.entries(kits)) {
      let t = performance.now();
      await k.ok('navigate', { url: `${url}?${i}` });
      if (i > 4) (times[n] ??= []).push(performance.now() - t);
      t = performance.now();
      await k.ok('evaluate', {
        expression: `Promise.all(Array.from({length:30},(_, i) => fetch('/f'+i+Math.random()).then(r=>r.text()))).then(()=>1)`,
      });
      if (i > 4) (many[n] ??= []).push(performance.now() - t);
    }
  const med = (l: number[]) => l.sort((a, b) => a - b)[l.length >> 1]!.toFixed(1);
  const q = (l: number[], p: number) => l[Math.floor(l.length * p)]!.toFixed(1);
  for (const n of Object.keys(times))
    console.log(
      n,
      'navigate median',
      med(times[n]!),
      'p25',
      q(times[n]!, 0.25),
      'p75',
      q(times[n]!, 0.75),
      '| 30 fetches median',
      med(many[n]!),
      'p25',
      q(many[n]!, 0.25),
    );
  for (const k of Object.values(kits)) await k.close();
  await open.close();
}, 200000);
