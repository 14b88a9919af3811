// The official conformance suite as a child process: what runs it, what a revision requires, and what came of it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const MODULES = resolve('node_modules');
const SUITE = join(MODULES, '@modelcontextprotocol', 'conformance');
/** One run takes seconds. */
const MOST_MS = 90_000;

export interface Outcome {
  /** 0 when all that counts has passed. */
  code: number | null;
  /** Scenarios that count for the revision, and those of them without a failed check. */
  scored: string[];
  passed: string[];
  /** Checks of those scenarios. */
  checks: number;
  output: string;
}

/** Whether there is a Bun for this machine at all. */
export function isForThisMachine(): boolean {
  const { os, cpu } = JSON.parse(readFileSync(join(MODULES, 'bun', 'package.json'), 'utf8'));
  return os.includes(process.platform) && cpu.includes(process.arch);
}

/** The suite needs Bun, or a later Node than ours. Undefined when neither works. */
export function findRunner(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return bunPrograms().find(path => spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0);
}

/** The package's own after its install script has run, that of the platform before. */
function bunPrograms(): string[] {
  const platforms = join(MODULES, '@oven');
  const folders = existsSync(platforms) ? readdirSync(platforms).map(name => join(platforms, name)) : [];
  return [join(MODULES, 'bun'), ...folders]
    .flatMap(folder => [join(folder, 'bin', 'bun.exe'), join(folder, 'bin', 'bun')])
    .filter(path => existsSync(path));
}

/** The server scenarios that the revision requires. */
const requiredBy = (revision: string): string[] =>
  parse(readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8')).server;

export async function runSuite(runner: string, url: string, revision: string): Promise<Outcome> {
  const { code, output } = await suite(runner, ['--url', url, '--requirements', revision], MOST_MS);
  const scored = requiredBy(revision);
  const rows = [...output.matchAll(/^✓ (\S+): (\d+) passed, 0 failed/gm)].filter(([, name = '']) =>
    scored.includes(name),
  );
  return {
    code,
    scored,
    passed: rows.map(([, name = '']) => name),
    checks: rows.reduce((sum, [, , count]) => sum + Number(count), 0),
    output,
  };
}

/** Which checks of one scenario fail, in the suite's own words. */
export async function failedChecks(runner: string, url: string, revision: string, scenario: string): Promise<string> {
  const args = ['--url', url, '--scenario', scenario, '--spec-version', revision];
  const { output } = await suite(runner, args, 20_000);
  const [, failed = output] = output.split('=== Failed Checks ===');
  return `${scenario}:${failed.slice(0, 800)}`;
}

async function suite(runner: string, args: string[], ms: number): Promise<Pick<Outcome, 'code' | 'output'>> {
  const child = spawn(runner, [join(SUITE, 'dist', 'index.js'), 'server', ...args], {
    cwd: tmpdir(),
    timeout: ms,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
