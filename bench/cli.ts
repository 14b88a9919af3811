// The command line beside others: the same five commands, from nothing and with a browser that stays, in turns in one sitting.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from './install.ts';
import { findChrome } from './machine.ts';
import versions from './peers.json' with { type: 'json' };
import { makeScratch, removeScratch } from './scratch.ts';
import { agentBrowserFile } from './servers.ts';

const STEPS = ['open', 'snapshot', 'click', 'fill', 'screenshot'] as const;
const PAGE =
  '<title>Page</title><h1>Hello</h1><a href="#x" onclick="document.title=\'clicked\'">More</a><input aria-label=Name>';
const PACKAGES = { '@playwright/cli': '0.1.22', 'agent-browser': versions['agent-browser'] };
/** Warm runs for each cold one. */
const WARM = 3;
const MOST_MS = 60_000;

/** The ms of each step. */
type Times = Record<(typeof STEPS)[number], number>;

interface Program {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** From the ref in a snapshot to that in a command. */
  ref(found: string): string;
  picture: readonly string[];
  /** Opens a page in the browser that is there, where open would start another one. */
  again?: string;
  end: string;
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const chrome = findChrome();
const { path: folder } = makeScratch();
const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const packages = await installPackages(PACKAGES, text => console.log(text));
const isRoot = process.getuid?.() === 0;

const node = (script: string) => ({ command: process.execPath, args: [script] });
const PROGRAMS: readonly Program[] = [
  {
    name: 'tabwright',
    ...node(resolve('dist/tabwright.js')),
    env: { TABWRIGHT_STATE_DIR: join(folder, 'state'), TABWRIGHT_EXECUTABLE_PATH: chrome },
    ref: found => found,
    picture: ['screenshot', 'page.png'],
    end: 'stop',
  },
  {
    name: 'playwright-cli',
    ...node(join(packages, '@playwright/cli/playwright-cli.js')),
    env: {
      PLAYWRIGHT_MCP_EXECUTABLE_PATH: chrome,
      PLAYWRIGHT_MCP_BROWSER: 'chromium',
      ...(isRoot && { PLAYWRIGHT_MCP_SANDBOX: 'false' }),
    },
    ref: found => found,
    picture: ['screenshot', '--filename=page.png'],
    again: 'goto',
    end: 'close',
  },
  {
    name: 'agent-browser',
    command: join(packages, 'agent-browser/bin', agentBrowserFile()),
    args: [],
    env: {
      AGENT_BROWSER_EXECUTABLE_PATH: chrome,
      AGENT_BROWSER_ARGS: ['--window-size=1280,720', ...(isRoot ? ['--no-sandbox'] : [])].join('\n'),
      AGENT_BROWSER_SOCKET_DIR: folder,
    },
    ref: found => `@${found}`,
    picture: ['screenshot', join(folder, 'page.png')],
    end: 'close',
  },
];

/** Asynchronous work of this process, such as serving the page, goes on while the command runs. */
function run({ command, args, env }: Pick<Program, 'command' | 'args' | 'env'>, words: readonly string[]) {
  const began = performance.now();
  return new Promise<{ ms: number; out: string }>((done, fail) => {
    const child = spawn(command, [...args, ...words], { cwd: folder, env: { ...process.env, HOME: folder, ...env } });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        out += text;
      });
    const late = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
    // A server that it leaves behind may hold its streams.
    child.once('exit', code => {
      const ms = performance.now() - began;
      clearTimeout(late);
      setImmediate(() =>
        code === 0 ? done({ ms, out }) : fail(new Error(`${command} ${words.join(' ')}: ${code} ${out}`)),
      );
    });
    child.stdin.end();
  });
}

async function five(program: Program, word = 'open'): Promise<Times> {
  const open = await run(program, [word, url]);
  const snapshot = await run(program, ['snapshot']);
  const refOf = (role: string): string => {
    const [, found = ''] = new RegExp(`${role} "[^"]*".*?\\[?ref=(@?(?:f\\d+)?e\\d+)\\]`).exec(snapshot.out) ?? [];
    if (!found) throw new Error(`${program.name}: no ${role} in ${snapshot.out}`);
    return program.ref(found);
  };
  const click = await run(program, ['click', refOf('link')]);
  const fill = await run(program, ['fill', refOf('textbox'), 'Ann']);
  const screenshot = await run(program, program.picture);
  return { open: open.ms, snapshot: snapshot.ms, click: click.ms, fill: fill.ms, screenshot: screenshot.ms };
}

const median = (list: number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
const sum = (times: Times): number => STEPS.reduce((all, step) => all + times[step], 0);
const mediansOf = (all: readonly Times[]): Times =>
  Object.fromEntries(STEPS.map(step => [step, median(all.map(times => times[step]))])) as Times;

const cold = new Map<string, Times[]>();
const warm = new Map<string, Times[]>();
const bare: number[] = [];
const keep = (where: Map<string, Times[]>, name: string, times: Times) =>
  where.set(name, [...(where.get(name) ?? []), times]);

try {
  for (let round = 0; round < rounds; round++)
    for (const program of PROGRAMS) {
      bare.push((await run({ command: process.execPath, args: ['-e', '0'], env: {} }, [])).ms);
      keep(cold, program.name, await five(program));
      for (let turn = 0; turn < WARM; turn++) {
        bare.push((await run({ command: process.execPath, args: ['-e', '0'], env: {} }, [])).ms);
        keep(warm, program.name, await five(program, program.again));
      }
      await run(program, [program.end]);
    }
} finally {
  for (const program of PROGRAMS)
    spawnSync(program.command, [...program.args, program.end], {
      cwd: folder,
      env: { ...process.env, HOME: folder, ...program.env },
    });
  server.closeAllConnections();
  server.close();
  removeScratch();
}

const nodeMs = median(bare);
console.log(
  `\nnode -e 0: ${nodeMs.toFixed(0)} ms. Medians in ms, ${rounds} cold and ${rounds * WARM} warm runs of each.\n`,
);
console.log(['', ...STEPS, 'all five'].map((cell, at) => cell.padEnd(at ? 12 : 24)).join(''));
for (const [kind, all] of [
  ['cold', cold],
  ['warm', warm],
] as const)
  for (const [name, list] of all) {
    const times = mediansOf(list);
    const cells = [...STEPS.map(step => times[step]), median(list.map(sum))];
    console.log(`${kind} ${name}`.padEnd(24) + cells.map(ms => ms.toFixed(0).padEnd(12)).join(''));
  }

const total = (all: Map<string, Times[]>, name: string): number => median((all.get(name) ?? []).map(sum));
const own = mediansOf(warm.get('tabwright') ?? []);
const verdict = (what: string, value: number, most: number): void => {
  const isGood = value <= most;
  console.log(`${isGood ? 'pass' : 'MISS'}  ${what}: ${value.toFixed(2)}, at most ${most.toFixed(1)}`);
  if (!isGood) process.exitCode = 1;
};
console.log('');
for (const step of STEPS) verdict(`warm ${step} ÷ node -e 0`, own[step] / nodeMs, 2);
verdict('warm five ÷ playwright-cli', total(warm, 'tabwright') / total(warm, 'playwright-cli'), 1);
// A program that needs no Node has the time of five starts of it ahead: told, but no goal.
console.log(`      warm five ÷ agent-browser: ${(total(warm, 'tabwright') / total(warm, 'agent-browser')).toFixed(2)}`);
const opening = (name: string): number => mediansOf(cold.get(name) ?? []).open;
const firstBest = Math.min(opening('playwright-cli'), opening('agent-browser'));
verdict('cold open ÷ the best of the others', opening('tabwright') / firstBest, 1);
const best = Math.min(total(cold, 'playwright-cli'), total(cold, 'agent-browser'));
verdict('cold five ÷ the best of the others', total(cold, 'tabwright') / best, 1);
