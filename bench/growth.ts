// How time and memory grow: snapshots with the elements of a page, clicks with the tabs of a session and with the sessions of a server.
import { parseArgs } from 'node:util';
import { Driver, type Ground } from './driver.ts';
import { endWithProcess } from './end-with-process.ts';
import { findChrome } from './machine.ts';
import { type Pages, startPages } from './pages.ts';
import { type Launch, type Place, RAW_CDP, type Server, TABWRIGHT, versionBefore } from './servers.ts';

const MOST_MS = 15 * 60_000;
const ELEMENTS = [20, 1_000, 10_000, 50_000];
const TABS = [1, 20, 100];
const SESSIONS = [1, 10, 30, 50];
/** Calls per server and size. */
const ROUNDS = 7;
/** So long after a large page was left, memory is read again. */
const REST_MS = 30_000;

interface Series {
  server: string;
  /** Size → median of the times in ms. */
  times: Map<number, number>;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const megabytes = (driver: Driver): string => `${Math.round(driver.client.memory() ?? Number.NaN)} MB`;
const say = (cells: string[]): void => console.log(cells.map((cell, at) => cell.padEnd(at ? 26 : 20)).join(''));

/** Of what the time grows from the smallest size to the largest: for one more of a hundred. */
function slopeOf({ times }: Series): string {
  const [[fewest, first] = [0, 0]] = times;
  const [most, last] = [...times].at(-1) ?? [1, 0];
  return `${((100 * (last - first)) / (most - fewest)).toFixed(3)} ms per 100`;
}

/** Calls in turn, so that noise hits all servers alike. */
async function medians(
  drivers: Driver[],
  rounds: number,
  call: (driver: Driver) => Promise<number>,
): Promise<number[]> {
  const all = drivers.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, driver] of drivers.entries()) all[at]?.push(await call(driver));
  return all.map(median);
}

async function grow(
  what: string,
  sizes: readonly number[],
  drivers: Driver[],
  prepare: (driver: Driver, size: number) => Promise<() => Promise<number>>,
): Promise<void> {
  const series = drivers.map(({ server }): Series => ({ server: server.name, times: new Map() }));
  say([what, ...drivers.map(({ server }) => server.name)]);
  for (const size of sizes) {
    const calls = new Map<Driver, () => Promise<number>>();
    for (const driver of drivers) {
      const call = await prepare(driver, size);
      await call();
      calls.set(driver, call);
    }
    const found = await medians(drivers, ROUNDS, driver => calls.get(driver)?.() ?? Promise.resolve(Number.NaN));
    const floor = found.at(-1) ?? 1;
    for (const [at, ms] of found.entries()) series[at]?.times.set(size, ms);
    const ratio = (ms: number) => (drivers.at(-1)?.server === RAW_CDP ? ` × ${(ms / floor).toFixed(2)}` : '');
    say([
      String(size),
      ...drivers.map((driver, at) => {
        const ms = found[at] ?? Number.NaN;
        return `${ms.toFixed(1)} ms${ratio(ms)}, ${megabytes(driver)}`;
      }),
    ]);
  }
  say(['slope', ...series.map(slopeOf)]);
}

/** As an agent asks for it; the page has so many elements. */
const elements = (pages: Pages, drivers: Driver[]): Promise<void> =>
  grow('snapshot, elements', ELEMENTS, drivers, async (driver, size) => {
    await driver.open(pages.elements(size));
    return async () => (await driver.call(driver.server.read)).ms;
  });

async function rest(drivers: Driver[], pages: Pages): Promise<void> {
  for (const driver of drivers) await driver.open(pages.rows(1));
  await new Promise(resolve => setTimeout(resolve, REST_MS));
  say([`${REST_MS / 1_000} s after it was left`, ...drivers.map(megabytes)]);
}

/** The server with room for all of the sessions. */
function roomy(server: Server): Server {
  const most = String(Math.max(...SESSIONS) + 1);
  const room = ['--max-sessions', most, '--max-sessions-per-caller', most, '--rate-limit', '0'];
  const launch = (place: Place): Launch => {
    const { args, ...rest } = server.launch(place);
    return { ...rest, args: [...args, ...room] };
  };
  return { ...server, launch };
}

type Where = Record<string, string | number>;

/** Clicks the button of a page in turn in all of these places. */
async function clicksIn(driver: Driver, places: Map<Where, string>, number: number): Promise<number> {
  const at = [...places][number % places.size];
  if (!at) return Number.NaN;
  const [where, ref] = at;
  return (await driver.call({ tool: 'click', args: { ...where, selector: ref } })).ms;
}

async function growPlaces(
  what: string,
  sizes: readonly number[],
  drivers: Driver[],
  open: (driver: Driver, number: number) => Promise<Where>,
): Promise<void> {
  const places = new Map(drivers.map(driver => [driver, new Map<Where, string>()]));
  await grow(what, sizes, drivers, async (driver, size) => {
    const own = places.get(driver) ?? new Map();
    while (own.size < size) {
      const where = await open(driver, own.size);
      const { text } = await driver.call({ tool: 'snapshot', args: where });
      own.set(where, driver.ref(text, 'button', 'Save 1'));
    }
    let number = 0;
    return () => clicksIn(driver, own, number++);
  });
}

const tabs = (pages: Pages, drivers: Driver[]): Promise<void> =>
  growPlaces('click, tabs', TABS, drivers, async driver => {
    const { text } = await driver.call({ tool: 'tab_new', args: { url: pages.rows(20) } });
    return { tabId: Number(/tab (\d+)/i.exec(text)?.[1]) };
  });

const sessions = (pages: Pages, drivers: Driver[]): Promise<void> =>
  growPlaces('click, sessions', SESSIONS, drivers, async (driver, number) => {
    const session = `growth-${number}`;
    await driver.call({ tool: 'session_create', args: { name: session } });
    await driver.call({ tool: 'navigate', args: { url: pages.rows(20), session } });
    return { session };
  });

async function withDrivers(
  servers: Server[],
  ground: Ground,
  run: (drivers: Driver[]) => Promise<void>,
): Promise<void> {
  const drivers = servers.map(server => new Driver(server, ground));
  try {
    for (const driver of drivers) await driver.client.initialize();
    await run(drivers);
  } finally {
    for (const driver of drivers) await driver.end();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { before: { type: 'string' }, only: { type: 'string' } } });
  const wanted = (name: string) => values.only === undefined || values.only.split(',').includes(name);
  const own = [TABWRIGHT, ...(values.before === undefined ? [] : [versionBefore(values.before)])];
  const pages = await startPages();
  const ground = { browser: findChrome(), packages: '', sandbox: process.getuid?.() !== 0 };
  try {
    if (wanted('elements'))
      await withDrivers([...own, RAW_CDP], ground, async drivers => {
        await elements(pages, drivers);
        await rest(drivers, pages);
      });
    if (wanted('tabs')) await withDrivers(own.map(roomy), ground, drivers => tabs(pages, drivers));
    if (wanted('sessions')) await withDrivers(own.map(roomy), ground, drivers => sessions(pages, drivers));
  } finally {
    await pages.close();
  }
}

endWithProcess(MOST_MS);
await main();
process.exit(0);
