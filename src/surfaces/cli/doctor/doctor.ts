// `tabwright doctor`: checks the machine, then drives the built-in page as proof.
import { homedir, tmpdir } from 'node:os';
import type { Log } from '../../../config/log.ts';
import type { Options } from '../../../config/options.ts';
import { thisHost } from '../../../engine/browser/install.ts';
import { timeoutSignal } from '../../client/http.ts';
import { LISTED } from '../../listing/listed.ts';
import { Runtime } from '../../runtime.ts';
import { describe, type Run, type Start, signalled } from '../command.ts';
import { type Paint, paint } from '../output/terminal.ts';
import { type Proof, type ProofStep, prove } from '../proof.ts';
import { browser, sandbox } from './browser.ts';
import { type Check, type CheckRow, examine, fine, type Patient, problem, type State } from './check.ts';
import { config, profiles, stateFolder, temporary, token } from './folders.ts';
import { display, fonts, node, port, proxy } from './machine.ts';
import { stale } from './processes.ts';

const CHECKS: readonly Check[] = [
  node,
  config,
  stateFolder,
  token,
  temporary,
  port,
  display,
  fonts,
  proxy,
  stale,
  profiles,
  sandbox,
  browser,
];

/** All checks run at once. */
const CHECK_MS = 20_000;
const PROOF_MS = 25_000;

interface PageRow extends CheckRow {
  ms?: number;
  steps?: ProofStep[];
}

export const run: Run = async start => {
  const patient = patientOf(start);
  const ending = new AbortController();
  signalled().then(() => ending.abort());
  const rows: PageRow[] = await Promise.all(CHECKS.map(check => examine(check, patient, CHECK_MS, ending.signal)));
  const asJson = start.flags['--json'] === true;
  const colours = paint(process.stdout);
  if (!asJson) for (const row of rows) print(rowText(row, colours));
  const hasBrowser = rows.find(({ name }) => name === browser.name)?.state !== 'problem';
  const page = hasBrowser && !ending.signal.aborted ? await drive(start.options, start.log, ending.signal) : NOT_DRIVEN;
  rows.push(page);
  const ok = rows.every(({ state }) => state !== 'problem');
  print(asJson ? JSON.stringify({ ok, checks: rows }, null, 2) : `${rowText(page, colours)}\n\n${summary(rows)}`);
  return ok ? 0 : 1;
};

const patientOf = ({ options, files }: Start): Patient => ({
  options,
  files,
  host: thisHost(),
  node: process.versions.node,
  home: homedir(),
  temporary: tmpdir(),
  proc: '/proc',
});

const PAGE = 'page';
const MORE = 'npx tabwright doctor --log-level debug tells more';
const NOT_DRIVEN: PageRow = {
  name: PAGE,
  ...problem('not driven, because no browser starts', 'mend the browser first'),
};

/** With every tool, whatever --tools offers, and bounded even if the browser hangs. */
async function drive(options: Options, log: Log, ending: AbortSignal): Promise<PageRow> {
  const bounded = { ...options, timeoutNavigation: Math.min(options.timeoutNavigation, PROOF_MS) };
  const names = LISTED.map(({ tool }) => tool.name);
  // What a start warns of, the rows above say.
  const calls = new Runtime(bounded, names, { ...log, warn: log.info });
  try {
    return pageRow(await prove(call => calls.run(call), AbortSignal.any([timeoutSignal(PROOF_MS), ending])));
  } finally {
    await calls.close().catch(error => log.error(`close: ${describe(error)}`));
  }
}

function pageRow({ ok, ms, steps, problem: why = '' }: Proof): PageRow {
  const finding = ok ? fine(`driven in ${ms} ms`) : problem(`not driven: ${why.replaceAll('\n', ' ')}`, MORE);
  return { name: PAGE, ...finding, ms, steps };
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const COLOURS: Record<State, keyof Paint> = { ok: 'green', warning: 'yellow', problem: 'red' };

const WIDTH = Math.max(...[...CHECKS, { name: PAGE }].map(({ name }) => name.length)) + 2;
const INDENT = ' '.repeat(9 + WIDTH);

function rowText({ name, state, found, mend, steps = [] }: PageRow, colours: Paint): string {
  const first = `${colours[COLOURS[state]](state.padEnd(9))}${name.padEnd(WIDTH)}${found}`;
  const deeds = steps.map(({ tool, ms, saw }) => `${INDENT}${tool} (${ms} ms): ${saw}`);
  return [first, ...(mend === undefined ? [] : [`${INDENT}→ ${colours.bold(mend)}`]), ...deeds].join('\n');
}

function summary(rows: CheckRow[]): string {
  const count = (wanted: State) => rows.filter(({ state }) => state === wanted).length;
  const named = (count: number, word: string) => (count > 0 ? [`${count} ${word}${count > 1 ? 's' : ''}`] : []);
  const parts = [...named(count('problem'), 'problem'), ...named(count('warning'), 'warning')];
  return parts.length > 0 ? `${parts.join(', ')}.` : 'All is well.';
}
