// `npm run tasks`: everyday jobs on pages of ours, done with Tabwright and with its peers; counts calls, characters and time, and writes bench/tasks.md.
//
// The policies. An agent knows its job, but not the page: it looks at each page before it acts, and finds refs in what the server has
// printed, by role and name (reading.ts). Each server is used in the cheapest way that its tools for pages allow (tabwright.ts, peers.ts):
// - Tabwright: `batch` for several steps, short snapshots; receipts are looks. A target that no receipt has named is looked for with
//   `find` in the next batch and used as `$1.ref`, which fails unless there is exactly one.
// - playwright-mcp: `browser_fill_form`, `browser_find` for words, `browser_snapshot` for elements.
// - chrome-devtools-mcp: `fill_form`, and `includeSnapshot` with the last action.
// - agent-browser, with all its tools: single calls; and the same with its `batch`, as a column of its own.
// No agent writes code for the page or for the server (evaluate, run_code), nor acts on what it has not been shown.
// Characters are those of the names and arguments of calls and of the texts of answers. Time is that of the calls. The outcome is what
// the page has posted to the site.
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { PEER_ADAPTERS } from '../../test/widgets/adapters.ts';
import { Driver, type Ground } from '../driver.ts';
import { endWithProcess } from '../end-with-process.ts';
import { installPeers } from '../install.ts';
import { describeMachine, findChrome } from '../machine.ts';
import { type Server, TABWRIGHT } from '../servers.ts';
import type { Agent, Cost } from './agent.ts';
import { TASK_JOBS, type TaskJob } from './jobs.ts';
import { AgentBrowserAgent, BatchingAgentBrowserAgent, ChromeDevtoolsAgent, PlaywrightAgent } from './peers.ts';
import { startTaskSite, type TaskSite } from './site.ts';
import { TabwrightAgent } from './tabwright.ts';

const MOST_MS = 30 * 60_000;

interface Contender {
  name: string;
  server: Server;
  Agent: new (...of: ConstructorParameters<typeof Agent>) => Agent;
}

/** Each may read the file that is to be uploaded. */
const withFlags = (server: Server, ...flags: string[]): Server => ({
  ...server,
  launch: place => {
    const { args, ...launch } = server.launch(place);
    return { ...launch, args: [...args, ...flags] };
  },
});

const peer = (name: string): Server => PEER_ADAPTERS.find(({ server }) => server.name === name)!.server;

const CONTENDERS: readonly Contender[] = [
  { name: 'Tabwright', server: withFlags(TABWRIGHT, '--upload-dirs', import.meta.dirname), Agent: TabwrightAgent },
  {
    name: 'playwright-mcp',
    server: withFlags(peer('playwright-mcp'), '--allow-unrestricted-file-access'),
    Agent: PlaywrightAgent,
  },
  { name: 'chrome-devtools-mcp', server: peer('chrome-devtools-mcp'), Agent: ChromeDevtoolsAgent },
  { name: 'agent-browser', server: peer('agent-browser'), Agent: AgentBrowserAgent },
  { name: 'agent-browser, batch', server: peer('agent-browser'), Agent: BatchingAgentBrowserAgent },
];

/** Of one job with one server; why it was not done, if it was not. */
interface Row extends Cost {
  failed?: string;
}

type Results = Map<string, Row[]>;

const note = (text: string): void => void process.stderr.write(`${text}\n`);

async function doJob(agent: Agent, job: TaskJob, site: TaskSite): Promise<Row> {
  agent.cost = { calls: 0, chars: 0, ms: 0 };
  site.take();
  try {
    await agent.open(`${site.url}/${job.page}`);
    await job.run(agent);
    const outcome = site.take();
    if (isDeepStrictEqual(outcome, job.outcome)) return agent.cost;
    return { ...agent.cost, failed: `the site was sent ${JSON.stringify(outcome)}` };
  } catch (error) {
    return { ...agent.cost, failed: error instanceof Error ? error.message : String(error) };
  }
}

async function doAll(
  { name, server, Agent }: Contender,
  ground: Ground,
  site: TaskSite,
  jobs: readonly TaskJob[],
  log: (text: string) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  const driver = new Driver(server, ground);
  try {
    await driver.client.initialize();
    for (const job of jobs) {
      const row = await doJob(new Agent(driver, log), job, site);
      rows.push(row);
      note(
        `${name}: ${job.name}: ${row.calls} calls, ${row.chars} characters, ${Math.round(row.ms)} ms${row.failed ? `, failed: ${row.failed}` : ''}`,
      );
    }
  } finally {
    await driver.end();
  }
  return rows;
}

const totalOf = (rows: readonly Row[]): Cost & { done: number } => ({
  calls: rows.reduce((sum, { calls }) => sum + calls, 0),
  chars: rows.reduce((sum, { chars }) => sum + chars, 0),
  ms: rows.reduce((sum, { ms }) => sum + ms, 0),
  done: rows.filter(({ failed }) => failed === undefined).length,
});

const cell = ({ calls, chars, ms, failed }: Row): string =>
  `${calls} / ${chars} / ${Math.round(ms)}${failed === undefined ? '' : ', not done'}`;

function table(results: Results, jobs: readonly TaskJob[]): string {
  const names = [...results.keys()];
  const lines = [
    ['', ...names],
    names.map(() => '---').concat('---'),
    ...jobs.map((job, at) => [job.name, ...names.map(name => cell(results.get(name)![at]!))]),
    ['**all**', ...names.map(name => `**${cell(totalOf(results.get(name)!))}**`)],
    ['done', ...names.map(name => `${totalOf(results.get(name)!).done} of ${jobs.length}`)],
  ];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** Tabwright's share of what each peer needs. */
function shares(results: Results): string {
  const [[, own], ...peers] = [...results] as [[string, Row[]], ...[string, Row[]][]];
  const mine = totalOf(own);
  return peers
    .map(([name, rows]) => {
      const theirs = totalOf(rows);
      const share = (key: keyof Cost) =>
        `${(mine[key] / theirs[key]).toFixed(2)} × the ${{ calls: 'calls', chars: 'characters', ms: 'time' }[key]}`;
      return `- of ${name}: ${share('calls')}, ${share('chars')}, ${share('ms')}`;
    })
    .join('\n');
}

const report = (results: Results, jobs: readonly TaskJob[]): string =>
  [table(results, jobs), ...(results.size > 1 ? ['', 'Tabwright needs', shares(results)] : [])].join('\n');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      show: { type: 'boolean' },
      alone: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  const jobs = TASK_JOBS.filter(({ name }) => name.includes(values.only ?? ''));
  const contenders = values.alone ? CONTENDERS.slice(0, 1) : CONTENDERS;
  const browser = findChrome();
  const ground = { browser, packages: values.alone ? '' : await installPeers(note), sandbox: process.getuid?.() !== 0 };
  const site = await startTaskSite();
  const results: Results = new Map();
  for (const contender of contenders)
    results.set(contender.name, await doAll(contender, ground, site, jobs, values.show ? note : () => undefined));
  await site.close();
  const text = report(results, jobs);
  process.stdout.write(`${text}\n`);
  if (values.write) {
    const { date, facts } = describeMachine(
      browser,
      PEER_ADAPTERS.map(({ server }) => server),
    );
    const head = `# Everyday tasks\n\nWritten by \`npm run tasks -- --write\`, ${date}; the policies are described in bench/tasks/run.ts. Each cell: calls / characters of calls and answers / ms.\n\n`;
    writeFileSync(
      'bench/tasks.md',
      `${head}${text}\n\n${facts.map(([key, value]) => `- ${key}: ${value}`).join('\n')}\n`,
    );
  }
  return results.get('Tabwright')!.every(({ failed }) => failed === undefined) ? 0 : 1;
}

endWithProcess(MOST_MS);
try {
  process.exit(await main());
} catch (error) {
  note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
