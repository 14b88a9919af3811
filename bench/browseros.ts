// How long browseros-mcp takes from its start until it is ready, on Node and on Bun, against a browser that runs.
// Run after a build: npx tsx bench/browseros.ts [rounds]
import { otherBrowser } from '../test/other-browser.ts';
import { Bin, freePort, READY, RUNTIMES, type Runtime } from '../test/surfaces/browseros/bin.ts';
import { temporaryFolder } from '../test/surfaces/process.ts';
import { median } from './tally.ts';

const ROUNDS = Number(process.argv[2] ?? 10);

interface Start {
  ms: number;
  /** User time until then in ms, and memory in MB. */
  cpu: number;
  memory: number;
}

async function start(runtime: Runtime, cdpPort: string, home: string): Promise<Start> {
  const args = [`--cdp-port=${cdpPort}`, `--mcp-port=${await freePort()}`];
  const began = performance.now();
  const bin = await new Bin(runtime, args, { home }).says(READY);
  const measured = { ms: performance.now() - began, ...bin.usage() };
  await bin.kill('SIGINT');
  return measured;
}

const whole = (value = Number.NaN): number => Math.round(value);

const folder = temporaryFolder();
const browser = await otherBrowser();
const { port } = new URL(browser.endpoint);
const runtimes = Object.keys(RUNTIMES) as Runtime[];
const starts = new Map(runtimes.map(runtime => [runtime, [] as Start[]]));
try {
  // From here on the files are in memory.
  for (const runtime of runtimes) await start(runtime, port, folder.path);
  // In turns, so that a busy moment of the machine bears on all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const [runtime, all] of starts) all.push(await start(runtime, port, folder.path));
} finally {
  await browser.end();
  folder.remove();
}
console.log(`From start to "${READY}", ${ROUNDS} starts each, medians:`);
for (const [runtime, all] of starts) {
  const ms = all.map(one => one.ms);
  const spread = `${whole(median(ms))} ms (${whole(Math.min(...ms))} to ${whole(Math.max(...ms))})`;
  const [cpu, memory] = [median(all.map(one => one.cpu)), median(all.map(one => one.memory))];
  console.log(`${runtime.padEnd(17)} ${spread}, user CPU ${whole(cpu)} ms, ${whole(memory)} MB`);
}
