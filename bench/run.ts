// Measures the built server as a client sees it, alone or side by side with its peers.
import { writeFileSync } from 'node:fs';
import { chart } from './chart.ts';
import { endWithProcess } from './end-with-process.ts';
import { installPeers } from './install.ts';
import { judge } from './judge.ts';
import { describeMachine, findChrome } from './machine.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { startPages } from './pages.ts';
import { report } from './report.ts';
import { runAll } from './rounds.ts';
import { PEERS, RAW_CDP, type Server, TABWRIGHT, versionBefore } from './servers.ts';
import { tableRows, terminalTable } from './table.ts';
import { Tally } from './tally.ts';

const MOST_MS = 15 * 60_000;

const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

async function measure({ peers: withPeers, before, rounds, only, write }: BenchOptions): Promise<number> {
  const peers = withPeers ? PEERS : [];
  const references = [RAW_CDP, ...(before === undefined ? [] : [versionBefore(before)])];
  const packages = withPeers ? await installPeers(note) : '';
  const browser = findChrome();
  const pages = await startPages();
  const tally = new Tally();
  const ground = { browser, packages, sandbox: process.getuid?.() !== 0 };
  try {
    await runAll({ servers: [TABWRIGHT, ...references, ...peers], ground, pages, rounds, only, tally, note });
  } finally {
    await pages.close();
  }
  const linesOf = (compared: readonly Server[]) => judge({ own: TABWRIGHT, peers, references: compared }, tally, only);
  process.stdout.write(`${terminalTable(tableRows(linesOf(references)))}\n`);
  if (write) {
    const lines = linesOf([RAW_CDP]);
    const machine = describeMachine(browser, peers);
    writeFileSync(new URL('results.md', import.meta.url), report(lines, machine, rounds, tally.faults));
    writeFileSync(new URL('results.svg', import.meta.url), chart(lines, machine.date));
    note('written: bench/results.md, bench/results.svg');
  }
  return tally.faults.length > 0 ? 1 : 0;
}

endWithProcess(MOST_MS);
try {
  process.exit(await measure(readOptions(process.argv.slice(2))));
} catch (error) {
  note(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
