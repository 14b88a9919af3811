// Times of the built bundle over stdio, as a client sees them: medians of several rounds, on local pages.
import { rmSync } from 'node:fs';
import { startSite } from '../test/site/serve.ts';
import { Process, temporaryFolder } from '../test/surfaces/process.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30);
const STARTS = 10;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed<T>(run: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await run();
  return { ms: performance.now() - started, value };
}

const rows: { what: string; ms: number; min: number; chars?: number }[] = [];
function report(what: string, times: number[], chars?: number): void {
  rows.push({ what, ms: median(times), min: Math.min(...times), ...(chars === undefined ? {} : { chars }) });
}

async function start(): Promise<{ ms: number; process: Process; done: () => Promise<void>; listed: number }> {
  const folder = temporaryFolder();
  const started = performance.now();
  const child = new Process([], folder.path);
  await child.initialize();
  const listed = await child.request('tools/list');
  const ms = performance.now() - started;
  const done = async () => {
    await child.endInput();
    rmSync(folder.path, { recursive: true, force: true });
  };
  return { ms, process: child, done, listed: JSON.stringify(listed.result).length };
}

const textOf = (message: { result?: Record<string, unknown> }): string =>
  ((message.result?.content as { text?: string }[] | undefined) ?? []).map(item => item.text ?? '').join('');

async function main(): Promise<void> {
  const site = await startSite();
  const starts: number[] = [];
  let listed = 0;
  for (let at = 0; at < STARTS; at++) {
    const one = await start();
    starts.push(one.ms);
    listed = one.listed;
    await one.done();
  }
  report('start to tools/list', starts, listed);
  const firsts: number[] = [];
  for (let at = 0; at < 5; at++) {
    const started = performance.now();
    const one = await start();
    await one.process.request('tools/call', { name: 'navigate', arguments: { url: `${site.url}/rows?n=20` } });
    firsts.push(performance.now() - started);
    await one.done();
  }
  report('start to first page', firsts);
  const { process: child, done } = await start();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { ms, value } = await timed(() => child.request('tools/call', { name, arguments: args }));
    if (value.result?.isError || value.error)
      throw new Error(`${name}: ${textOf(value)} ${value.error?.message ?? ''}`);
    return { ms, text: textOf(value) };
  };
  const measure = async (what: string, name: string, args: (at: number) => Record<string, unknown>) => {
    const times: number[] = [];
    let chars = 0;
    for (let at = 0; at < ROUNDS; at++) {
      const { ms, text } = await call(name, args(at));
      times.push(ms);
      chars = text.length;
    }
    report(what, times, chars);
  };
  const url = `${site.url}/rows?n=20`;
  await measure('navigate, small page', 'navigate', () => ({ url }));
  await measure('snapshot, 20 rows', 'snapshot', () => ({}));
  await measure('snapshot, 20 rows, interactive', 'snapshot', () => ({ mode: 'interactive' }));
  const { text } = await call('snapshot');
  const refs = (word: string) =>
    text
      .split('\n')
      .filter(line => line.includes(`- ${word}`))
      .map(line => /@e\d+/.exec(line)?.[0] ?? '')
      .filter(Boolean);
  const buttons = refs('button');
  const fields = refs('textbox');
  await measure('click by ref', 'click', at => ({ selector: buttons[at % buttons.length] }));
  await measure('fill by ref', 'fill', at => ({ selector: fields[at % fields.length], value: `value ${at}` }));
  await measure('evaluate', 'evaluate', () => ({ expression: 'document.title' }));
  await measure('screenshot', 'screenshot', () => ({}));
  await call('navigate', { url: `${site.url}/rows?n=1000` });
  await measure('snapshot, 1000 rows', 'snapshot', () => ({}));
  await done();
  await site.close();
  const wide = Math.max(...rows.map(row => row.what.length));
  process.stdout.write(`${'median ms'.padStart(wide + 12)}  min ms  characters\n`);
  for (const { what, ms, min, chars } of rows)
    process.stdout.write(
      `${what.padEnd(wide)}  ${ms.toFixed(1).padStart(10)}  ${min.toFixed(1).padStart(6)}  ${chars ?? ''}\n`,
    );
}

await main();
