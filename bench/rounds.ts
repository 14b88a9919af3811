// The order of the measurements: rounds in which the servers take turns, so that noise hits all alike.
import { Driver, type Ground } from './driver.ts';
import { httpRates } from './http.ts';
import { type Figures, type MetricKey, metricKeys, metricOf, type TaskName } from './metrics.ts';
import type { Pages } from './pages.ts';
import type { Server } from './servers.ts';
import type { Tally } from './tally.ts';
import { start, TASKS, weigh } from './tasks.ts';

export interface Plan {
  servers: readonly Server[];
  ground: Ground;
  pages: Pages;
  rounds: number;
  only: readonly TaskName[];
  tally: Tally;
  /** Says how far it is. */
  note(text: string): void;
}

const MOST_HTTP_ROUNDS = 3;

/** The same things, beginning with another one each time. */
export const rotated = <T>(things: readonly T[], by: number): T[] =>
  things.map((_, at) => things[(at + by) % things.length] as T);

/** Runs one measurement; one that fails is told and not tried again. */
async function measure(plan: Plan, server: Server, task: TaskName, run: () => Promise<Figures[]>): Promise<void> {
  const { tally } = plan;
  if (tally.failed(server.name, task)) return;
  try {
    for (const figures of await run()) tally.add(server.name, figures);
  } catch (error) {
    tally.fail(server.name, task, error);
    plan.note(`FAILED ${server.name}, ${task}: ${tally.faults.at(-1)?.message}`);
  }
}

const wanted = ({ only }: Plan, task: TaskName): boolean => only.includes(task);

const wantedTasks = ({ only }: Plan): TaskName[] => only.filter(name => TASKS[name] !== undefined);

/** Characters are told by the first look, times by the rounds. */
const isSize = (metric: string): boolean => metricOf(metric as MetricKey).unit === 'characters';

const kept = (figures: Figures, keep: (metric: string) => boolean): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([metric]) => keep(metric)));

async function tasksOnce(plan: Plan, driver: Driver, round: number, keep: (metric: string) => boolean): Promise<void> {
  for (const name of wantedTasks(plan)) {
    const task = TASKS[name];
    if (!task) continue;
    const run = async () => (await task(driver, plan.pages, round)).map(figures => kept(figures, keep));
    await measure(plan, driver.server, name, run);
  }
}

/** The sizes of answers of a server that was just started: refs grow longer the more were given out before. */
async function firstLooks(plan: Plan): Promise<void> {
  const names = wantedTasks(plan).filter(name => SIZED.has(name));
  if (names.length > 0) plan.note('sizes of answers');
  for (const server of plan.servers)
    for (const name of names) await measure(plan, server, name, () => firstLook(plan, server, name));
}

const SIZED = new Set(metricKeys.filter(isSize).map(key => metricOf(key).task));

async function firstLook(plan: Plan, server: Server, name: TaskName): Promise<Figures[]> {
  const driver = new Driver(server, plan.ground);
  try {
    await driver.client.initialize();
    const found = await TASKS[name]?.(driver, plan.pages, 0);
    return (found ?? []).slice(0, 1).map(figures => kept(figures, isSize));
  } finally {
    await driver.end();
  }
}

async function startRounds(plan: Plan): Promise<void> {
  const { servers, ground, pages } = plan;
  for (let round = 0; round < plan.rounds; round++) {
    plan.note(`starts, round ${round + 1} of ${plan.rounds}`);
    for (const server of rotated(servers, round))
      await measure(plan, server, 'start', async () => [await start(server, ground, pages)]);
  }
}

async function startDrivers(plan: Plan): Promise<Driver[]> {
  const drivers: Driver[] = [];
  for (const server of plan.servers)
    await measure(plan, server, 'memory', async () => {
      const driver = new Driver(server, plan.ground);
      drivers.push(driver);
      await driver.client.initialize();
      return [];
    });
  return drivers;
}

async function taskRounds(plan: Plan): Promise<void> {
  const drivers = await startDrivers(plan);
  try {
    // Round 0 warms up and is not counted.
    for (let round = 0; round <= plan.rounds; round++) {
      plan.note(round === 0 ? 'warming up' : `tasks, round ${round} of ${plan.rounds}`);
      const keep = (metric: string) => round > 0 && !isSize(metric);
      for (const driver of rotated(drivers, round)) await tasksOnce(plan, driver, round, keep);
    }
    if (wanted(plan, 'memory'))
      for (const driver of drivers) await measure(plan, driver.server, 'memory', async () => [weigh(driver, 'memory')]);
  } finally {
    await Promise.allSettled(drivers.map(driver => driver.end()));
  }
}

async function httpRounds(plan: Plan): Promise<void> {
  const rounds = Math.min(plan.rounds, MOST_HTTP_ROUNDS);
  for (let round = 0; round < rounds; round++) {
    plan.note(`HTTP, round ${round + 1} of ${rounds}`);
    for (const server of rotated(plan.servers, round))
      await measure(plan, server, 'http', async () => [await httpRates(server, plan.ground, plan.pages)]);
  }
}

export async function runAll(plan: Plan): Promise<void> {
  if (wanted(plan, 'start')) await startRounds(plan);
  await firstLooks(plan);
  if (wantedTasks(plan).length > 0 || wanted(plan, 'memory')) await taskRounds(plan);
  if (wanted(plan, 'http')) await httpRounds(plan);
}
