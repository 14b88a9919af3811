// The processes of the benchmark: started with a mark in their environment, so that each can be found, weighed and ended, daemons included.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Launch } from './servers.ts';

const MARK = 'BENCH_RUN';
const RUN = randomUUID();
/** Settings and proxies of this machine must not reach one server and not another. */
const DROPPED = /^(TABWRIGHT_|AGENT_BROWSER_|PLAYWRIGHT_|PWMCP_|NODE_OPTIONS$|(https?|all|no)_proxy$)/i;

const started = new Set<ChildProcess>();
let count = 0;

export interface Child {
  process: ChildProcess;
  mark: string;
}

export function startChild({ command, args, env }: Launch, folder: string): Child {
  const kept = Object.entries(process.env).filter(([name]) => !DROPPED.test(name));
  // The dot keeps 1 from being the beginning of 10.
  const mark = `${RUN}-${++count}.`;
  const child = spawn(command, args, { cwd: folder, env: { ...Object.fromEntries(kept), ...env, [MARK]: mark } });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return { process: child, mark };
}

interface Running {
  pid: number;
  parent: number;
  marked: boolean;
  browser: boolean;
  rss: number;
}

/** A file of a process; empty when the process is gone or not ours. */
function proc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function look(pid: number, mark: string): Running {
  const status = proc(pid, 'status');
  const number = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return {
    pid,
    parent: number('PPid'),
    marked: proc(pid, 'environ').includes(`${MARK}=${mark}`),
    browser: /--(remote-debugging-p|type=|monitor-self)/.test(proc(pid, 'cmdline')),
    rss: number('VmRSS') / 1024,
  };
}

/** The processes with the mark and all below them; empty where there is no /proc. */
function family(mark: string): Running[] {
  const all = pids().map(pid => look(pid, mark));
  const found = new Set(all.filter(one => one.marked));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    const ids = new Set([...found].map(one => one.pid));
    for (const one of all) if (ids.has(one.parent)) found.add(one);
  }
  return [...found];
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

/** Resident memory of a server and its own processes without the browser, in MB; undefined where it cannot be read. */
export function memoryOf({ mark }: Child): number | undefined {
  const own = family(mark).filter(one => !one.browser);
  return own.length > 0 ? own.reduce((sum, one) => sum + one.rss, 0) : undefined;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ends what is left of one server. */
export function endFamily({ mark, process: child }: Child): void {
  for (const { pid } of family(mark)) kill(pid);
  if (started.has(child)) child.kill('SIGKILL');
}

/** Ends what is left of the whole run. */
export function endAll(): void {
  for (const { pid } of family(RUN)) kill(pid);
  for (const child of started) child.kill('SIGKILL');
}
