// The long run: many calls over sessions that come and go on one server, to see that its memory levels off and nothing is left.
import { existsSync, readFileSync } from 'node:fs';
import type { Agent } from '../test/surfaces/agents.ts';
import { HTTP_AGENTS, Served } from '../test/surfaces/http/served.ts';
import { descendantsOf, isAlive, temporaryFolder } from '../test/surfaces/process.ts';
import { type Pages, startPages } from './pages.ts';

const SESSIONS = Number(process.argv[2] ?? 20);
/** Of each session. */
const CALLS = 250;
const AT_ONCE = 2;
const LEFT_MS = 5_000;
const MOST_MS = 20 * 60_000;

type Step = (pages: Pages, round: number) => [tool: string, args: Record<string, unknown>];

/** What an agent does all day, with pages large and small. */
const STEPS: Step[] = [
  (pages, round) => ['navigate', { url: pages.rows(round % 2 === 0 ? 20 : 300) }],
  () => ['snapshot', {}],
  () => ['query', { by: 'role', value: 'link' }],
  () => ['evaluate', { expression: 'document.title' }],
  () => ['screenshot', {}],
  pages => ['navigate', { url: pages.signup }],
  () => ['fill', { selector: 'label:Full name', value: 'Ada Lovelace' }],
  () => ['snapshot', { mode: 'interactive' }],
  () => ['tab_new', { url: 'about:blank' }],
  () => ['tab_list', {}],
  () => ['console', {}],
  () => ['tab_close', {}],
];

const megabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

/** What its heap holds and what lies beside it (pictures, messages), in MB: without what the collector has still to tidy up it cannot be had. */
async function heapOf(served: Served): Promise<string> {
  const answer = await fetch(served.url.replace(/mcp$/, 'metrics'), {
    headers: { authorization: `Bearer ${served.token}` },
  });
  const text = await answer.text();
  const read = (name: string) =>
    Math.round(Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0) / 1_048_576);
  return `${read('nodejs_heap_size_used_bytes')} + ${read('nodejs_external_memory_bytes')}`;
}

async function useSession(agent: Agent, pages: Pages, session: string): Promise<string[]> {
  const faults: string[] = [];
  const send = async (tool: string, args: Record<string, unknown>) => {
    const { content, isError } = await agent.call(tool, args);
    if (isError) faults.push(`${tool}: ${content[0]?.text?.slice(0, 150)}`);
  };
  await send('session_create', { name: session });
  for (let at = 0; at < CALLS - 2; at++) {
    const step = STEPS[at % STEPS.length];
    if (!step) continue;
    const [tool, args] = step(pages, Math.floor(at / STEPS.length));
    await send(tool, { ...args, session });
  }
  await send('session_close', { session });
  return faults;
}

async function soak(served: Served, pages: Pages): Promise<string[]> {
  const connect = HTTP_AGENTS['second generation, older revisions'];
  if (!connect) throw new Error('no client');
  const agent = await connect(served.url, served.token);
  const faults: string[] = [];
  console.log('sessions  calls  server MB  heap + beside  browser processes');
  for (let made = 0; made < SESSIONS; made += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, at) => `soak-${made + at}`);
    faults.push(...(await Promise.all(names.map(name => useSession(agent, pages, name)))).flat());
    const done = made + AT_ONCE;
    const row = [done, done * CALLS, megabytes(served.pid), await heapOf(served), descendantsOf(served.pid).length];
    console.log(row.map((cell, at) => String(cell).padStart([8, 6, 10, 14, 18][at] ?? 0)).join(' '));
  }
  console.log(`sessions left: ${await agent.ok('session_list')}`);
  await agent.close();
  return faults;
}

/** Chrome's own children may need a moment after it. */
async function leftOf(pids: number[]): Promise<number[]> {
  const until = Date.now() + LEFT_MS;
  let left = pids.filter(isAlive);
  while (left.length > 0 && Date.now() < until) {
    await new Promise(resolve => setTimeout(resolve, 100));
    left = left.filter(isAlive);
  }
  return left;
}

async function main(): Promise<number> {
  if (!existsSync('/proc/self/status')) throw new Error('this needs Linux: memory is read from /proc');
  const folder = temporaryFolder();
  const pages = await startPages();
  const served = await new Served(folder.path, '--rate-limit', '0').ready();
  const late = setTimeout(() => served.signal('SIGKILL'), MOST_MS);
  try {
    const faults = await soak(served, pages);
    const browser = served.browser();
    const { code } = await served.kill('SIGTERM');
    const left = await leftOf(browser);
    console.log(`exit code ${code}, browser processes left ${left.length}, failed calls ${faults.length}`);
    for (const fault of new Set(faults)) console.log(`  ${fault}`);
    return code === 0 && left.length === 0 && faults.length === 0 ? 0 : 1;
  } finally {
    clearTimeout(late);
    served.signal('SIGKILL');
    await pages.close();
    folder.remove();
  }
}

process.exitCode = await main();
