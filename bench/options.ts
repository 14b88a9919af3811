// The options of the benchmark.
import { parseArgs } from 'node:util';
import { TASK_NAMES, type TaskName } from './metrics.ts';

export interface BenchOptions {
  peers: boolean;
  /** The folder of another version, built. */
  before: string | undefined;
  rounds: number;
  only: readonly TaskName[];
  write: boolean;
}

const USAGE = `npm run bench -- [--peers] [--before FOLDER] [--rounds N] [--only NAME,…] [--no-write]
  --peers      also install and measure the peers, and write bench/results.md and bench/results.svg
  --before FOLDER  also measure another version of Tabwright, built in that folder
  --rounds N   how often each server is measured, 1 to 100 (10)
  --only NAMES some of: ${TASK_NAMES.join(', ')}; nothing is written
  --no-write   print only`;

const isTask = (name: string): name is TaskName => TASK_NAMES.some(known => known === name);

function readOnly(text: string | undefined): TaskName[] {
  if (text === undefined) return [...TASK_NAMES];
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !isTask(name));
  if (unknown !== undefined) throw new Error(`--only: no such name: ${unknown}\n${USAGE}`);
  return names.filter(isTask);
}

export function readOptions(argv: string[]): BenchOptions {
  const { values } = parseArgs({
    args: argv,
    options: {
      peers: { type: 'boolean', default: false },
      before: { type: 'string' },
      rounds: { type: 'string', default: '10' },
      only: { type: 'string' },
      'no-write': { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100)
    throw new Error(`--rounds is a number from 1 to 100.\n${USAGE}`);
  return {
    peers: values.peers,
    before: values.before,
    rounds,
    only: readOnly(values.only),
    // A table without peers, or with some rows only, must not replace the whole one.
    write: values.peers && values.only === undefined && !values['no-write'],
  };
}
