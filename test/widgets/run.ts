// `npm run widgets`: does every job with the built server, and with the peers, and prints job by server; with --oracle it compares roles and names with Chrome's, with --characters it counts what a look costs.
import { parseArgs } from 'node:util';
import { Driver, type Ground } from '../../bench/driver.ts';
import { endWithProcess } from '../../bench/end-with-process.ts';
import { installPeers } from '../../bench/install.ts';
import { findChrome } from '../../bench/machine.ts';
import { ADAPTER, type Adapter, PEER_ADAPTERS } from './adapters.ts';
import { reportCharacters } from './characters.ts';
import { install } from './install.ts';
import type { Job } from './job.ts';
import { JOBS } from './jobs/index.ts';
import { runOracle } from './oracle.ts';
import { Player } from './play.ts';
import { type Pages, startPages } from './serve.ts';

const MOST_MS = 150 * 60_000;

interface Row {
  page: string;
  job: Job;
  /** Server → why it was not done; nothing if it was. */
  results: Map<string, string | undefined>;
}

const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

function chosen(names: string[] | undefined): Row[] {
  const rows = Object.entries(JOBS).flatMap(([page, jobs]) => jobs.map(job => ({ page, job, results: new Map() })));
  return names ? rows.filter(({ page, job }) => names.some(name => page === name || job.name.includes(name))) : rows;
}

/** All jobs with one server. */
async function playAll(adapter: Adapter, ground: Ground, pages: Pages, rows: Row[]): Promise<void> {
  const { name } = adapter.server;
  const driver = new Driver(adapter.server, ground);
  try {
    await driver.client.initialize();
    const player = new Player(adapter, async call => (await driver.call(call)).text);
    for (const { page, job, results } of rows) {
      const why = await player.play(pages.url(page), job);
      results.set(name, why);
      note(`${name}: ${page}: ${job.name}: ${why ?? 'done'}`);
    }
  } finally {
    await driver.end();
  }
}

const share = (done: number, all: number): string => `${done} of ${all} (${((done / all) * 100).toFixed(1)} %)`;

function report(servers: string[], rows: Row[]): string {
  const label = ({ page, job }: Row): string => `${page}: ${job.name}`;
  const width = Math.max(...rows.map(row => label(row).length));
  const line = (first: string, cells: string[]): string => [first.padEnd(width), ...cells].join('  ');
  const mark = (row: Row, server: string): string =>
    (row.results.get(server) === undefined ? 'done' : '-').padEnd(server.length);
  const done = (server: string): number => rows.filter(({ results }) => results.get(server) === undefined).length;
  const failures = servers.flatMap(server => [
    '',
    `${server}: ${share(done(server), rows.length)}`,
    ...rows.flatMap(row =>
      row.results.get(server) === undefined ? [] : [`  ${label(row)}: ${row.results.get(server)}`],
    ),
  ]);
  return [
    line('', servers),
    ...rows.map(row =>
      line(
        label(row),
        servers.map(server => mark(row, server)),
      ),
    ),
    ...failures,
  ].join('\n');
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      peers: { type: 'boolean', default: false },
      oracle: { type: 'boolean', default: false },
      characters: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',').map(name => name.trim());
  const rows = chosen(only);
  if (rows.length === 0) throw new Error(`--only: no page or job is called so. Pages: ${Object.keys(JOBS).join(', ')}`);
  const adapters = [ADAPTER, ...(values.peers ? PEER_ADAPTERS : [])];
  const pages = await startPages(await install('all', note));
  if (values.oracle) return runOracle(pages, only, note).finally(pages.close);
  const packages = values.peers || values.characters ? await installPeers(note) : '';
  const ground = { browser: findChrome(), packages, sandbox: process.getuid?.() !== 0 };
  try {
    if (values.characters) {
      process.stdout.write(`${await reportCharacters(ground, pages)}\n`);
      return 0;
    }
    for (const adapter of adapters) await playAll(adapter, ground, pages, rows);
  } finally {
    await pages.close();
  }
  process.stdout.write(
    `${report(
      adapters.map(({ server }) => server.name),
      rows,
    )}\n`,
  );
  return rows.every(({ results }) => results.get(ADAPTER.server.name) === undefined) ? 0 : 1;
}

endWithProcess(MOST_MS);
try {
  process.exit(await main());
} catch (error) {
  note(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
