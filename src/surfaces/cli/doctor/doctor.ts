// `tabwright doctor`: checks the machine, then drives the built-in page as proof.
import { homedir, tmpdir } from 'node:os';
import type { Log } from '../../../config/log.ts';
import type { Options } from '../../../config/options.ts';
import { thisHost } from '../../../engine/browser/install.ts';
import { timeoutSignal } from '../../client/http.ts';
import { LISTED } from '../../listing/listed.ts';
import { Runtime } from '../../runtime.ts';
import { abortOnSignal, describe, type Run, type Start } from '../command.ts';
import { type Paint, paint, print, toJson } from '../output/terminal.ts';
import { type Proof, type ProofStep, prove } from '../proof.ts';
import { browser, sandbox } from './browser.ts';
import { type Check, type DoctorInput, examine, type Finding, fine, problem, type State } from './check.ts';
import { config, profiles, stateFolder, temporary, token } from './folders.ts';
import { display, fonts, node, port, proxy } from './machine.ts';
import { stale } from './processes.ts';

const BROWSER = 'browser';

/** By the name that the rows have, in their order. */
const CHECKS: Readonly<Record<string, Check>> = {
  Node: node,
  config,
  'state folder': stateFolder,
  token,
  'temporary folder': temporary,
  port,
  display,
  fonts,
  proxy,
  'stale browsers': stale,
  'old profiles': profiles,
  sandbox,
  [BROWSER]: browser,
};

/** All checks run at once. */
const CHECK_MS = 20_000;
const PROOF_MS = 25_000;

interface Row extends Finding {
  name: string;
  /** Of the row of the built-in page. */
  ms?: number;
  steps?: ProofStep[];
}

export const run: Run = async start => {
  const machine = machineOf(start);
  const ending = abortOnSignal();
  const rows: Row[] = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => ({
      name,
      ...(await examine(check, machine, CHECK_MS, ending)),
    })),
  );
  const asJson = start.flags['--json'] === true;
  const colours = paint(process.stdout);
  if (!asJson) for (const row of rows) print(rowText(row, colours));
  const hasBrowser = rows.find(({ name }) => name === BROWSER)?.state !== 'problem';
  const page = hasBrowser && !ending.aborted ? await drive(start.options, start.log, ending) : NOT_DRIVEN;
  rows.push(page);
  const ok = rows.every(({ state }) => state !== 'problem');
  print(asJson ? toJson({ ok, checks: rows }) : `${rowText(page, colours)}\n\n${summary(rows)}`);
  return ok ? 0 : 1;
};

const machineOf = ({ options, files }: Start): DoctorInput => ({
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
const NOT_DRIVEN: Row = {
  name: PAGE,
  ...problem('not driven, because no browser starts', 'mend the browser first'),
};

/** With every tool, whatever --tools offers, and bounded even if the browser hangs. */
async function drive(options: Options, log: Log, ending: AbortSignal): Promise<Row> {
  const bounded = { ...options, timeoutNavigation: Math.min(options.timeoutNavigation, PROOF_MS) };
  const names = LISTED.map(({ tool }) => tool.name);
  // The rows above already say what a start warns of.
  const calls = new Runtime(bounded, names, { ...log, warn: log.info });
  try {
    return pageRow(await prove(calls.run, AbortSignal.any([timeoutSignal(PROOF_MS), ending])));
  } finally {
    await calls.close().catch(error => log.error(`close: ${describe(error)}`));
  }
}

function pageRow({ ok, ms, steps, problem: why = '' }: Proof): Row {
  const finding = ok ? fine(`driven in ${ms} ms`) : problem(`not driven: ${why.replaceAll('\n', ' ')}`, MORE);
  return { name: PAGE, ...finding, ms, steps };
}

const COLOURS: Record<State, keyof Paint> = { ok: 'green', warning: 'yellow', problem: 'red' };

const WIDTH = Math.max(...[...Object.keys(CHECKS), PAGE].map(({ length }) => length)) + 2;
const INDENT = ' '.repeat(9 + WIDTH);

function rowText({ name, state, found, mend, steps = [] }: Row, colours: Paint): string {
  const first = `${colours[COLOURS[state]](state.padEnd(9))}${name.padEnd(WIDTH)}${found}`;
  const shownSteps = steps.map(({ tool, ms, saw }) => `${INDENT}${tool} (${ms} ms): ${saw}`);
  return [first, ...(mend === undefined ? [] : [`${INDENT}→ ${colours.bold(mend)}`]), ...shownSteps].join('\n');
}

function summary(rows: Row[]): string {
  const count = (wanted: State) => rows.filter(({ state }) => state === wanted).length;
  const named = (count: number, word: string) => (count > 0 ? [`${count} ${word}${count > 1 ? 's' : ''}`] : []);
  const parts = [...named(count('problem'), 'problem'), ...named(count('warning'), 'warning')];
  return parts.length > 0 ? `${parts.join(', ')}.` : 'All is well.';
}
