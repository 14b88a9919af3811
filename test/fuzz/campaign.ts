// One part of the fuzzing: case after case from a seed until its time is over. Every so often a good call must work, and memory is measured.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';

/** One try: what was sent, and what is wrong with what came back. */
export interface Tried {
  sent: unknown;
  faults: string[];
}

export interface OpenPart {
  /** The case of that number. */
  run(number: number): Promise<Tried>;
  /** A good call. Gives what is wrong with its answer. */
  check(): Promise<string[]>;
  memory(): Memory | Promise<Memory>;
  close(): Promise<void>;
}

export interface Part {
  name: string;
  open(seed: number): Promise<OpenPart>;
}

/** In MB. */
export interface Memory {
  heap: number;
  rss: number;
}

export interface Figures {
  part: string;
  seed: number;
  cases: number;
  seconds: number;
  before: Memory;
  after: Memory;
  peakRss: number;
  slowestMs: number;
  faults: string[];
}

const CHECK_EVERY = 40;
/** No case may take longer, whatever it asks for: its few calls have short times of their own. */
const HANG_MS = 60_000;
/** What a part may add to the heap for good, and to the resident memory at its worst, in MB. */
const MOST_HEAP = 150;
const MOST_RSS = 1_500;
const MOST_FAULTS = 20;
const SHOWN = 600;

export async function campaign(part: Part, seed: number, ms: number): Promise<Figures> {
  const open = await part.open(seed);
  const began = performance.now();
  const before = await open.memory();
  const figures = { part: part.name, seed, cases: 0, seconds: 0, peakRss: before.rss, slowestMs: 0, before };
  const faults: string[] = [];
  const tell = (what: string, sent: unknown, found: string[]) =>
    faults.push(...found.map(fault => `${what}: ${fault}\n    sent ${shown(sent)}`));
  try {
    while (performance.now() - began < ms && faults.length < MOST_FAULTS) {
      const number = figures.cases++;
      const started = performance.now();
      const { sent, faults: found } = await inTime(number, open.run(number));
      figures.slowestMs = Math.max(figures.slowestMs, Math.round(performance.now() - started));
      tell(`case ${number}`, sent, found);
      if (figures.cases % CHECK_EVERY > 0) continue;
      tell(`the good call after case ${number}`, '', await open.check());
      figures.peakRss = Math.max(figures.peakRss, (await open.memory()).rss);
    }
    tell('the good call at the end', '', await open.check());
  } catch (error) {
    faults.push(String(error));
  }
  const after = await open.memory();
  figures.peakRss = Math.max(figures.peakRss, after.rss);
  if (after.heap - before.heap > MOST_HEAP) faults.push(`The heap grew from ${before.heap} to ${after.heap} MB.`);
  if (figures.peakRss - before.rss > MOST_RSS)
    faults.push(`The resident memory grew from ${before.rss} to ${figures.peakRss} MB.`);
  await open.close();
  return { ...figures, after, seconds: Math.round((performance.now() - began) / 1_000), faults };
}

/** A case without an end ends the part: nothing after it would be worth looking at. */
function inTime<T>(number: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Case ${number} has no answer after ${HANG_MS / 1_000} s.`)), HANG_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : safeJson(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}

/** Cases may be deeper than JSON.stringify goes. */
function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    return `something that JSON.stringify cannot write: ${String(error)}`;
  }
}

/** The value of that number: the same for the same seed, whatever came before. */
export const draw = <T>(arbitrary: fc.Arbitrary<T>, seed: number, number: number): T =>
  fc.sample(arbitrary, { seed: (seed + number * 7_919) | 0, numRuns: 1 })[0] as T;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MB = 1_048_576;

/** Of this process, after a collection. */
export function ownMemory(): Memory {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: Math.round(heapUsed / MB), rss: Math.round(rss / MB) };
}

/** The largest resident memory that a process has had, in MB. */
export const peakOf = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

export const figuresLine = ({ part, cases, seconds, before, after, peakRss, slowestMs, faults }: Figures): string =>
  `${part}: ${cases} cases in ${seconds} s, slowest ${slowestMs} ms, heap ${before.heap} → ${after.heap} MB, ` +
  `rss ${before.rss} → ${after.rss} MB (peak ${peakRss}), ${faults.length} faults`;
