// `tabwright repl`: a prompt for commands, with completion and a history that holds no typed text.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { replaceFileSync } from '../../../config/private-files.ts';
import { Failure } from '../../../errors.ts';
import { TOOL_WORDS } from '../../listing/tool-words.ts';
import { printReply } from '../../socket/client.ts';
import type { Run } from '../command.ts';
import { clientFor } from './reach.ts';
import { runLine } from './run.ts';

/** Most lines of the history. */
const MOST_LINES = 1_000;

const OWN_WORDS = ['exit', 'help', 'status'];

export const run: Run = async start => {
  const file = join(start.options.stateDir, 'history');
  mkdirSync(start.options.stateDir, { recursive: true, mode: 0o700 });
  const client = clientFor(start);
  const kept = readHistory(file);
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: 'tabwright> ',
    history: [...kept],
    historySize: MOST_LINES,
    completer: (line: string) => complete(line),
  });
  let code = 0;
  lines.prompt();
  for await (const line of lines) {
    const word = line.trim();
    if (word === 'exit' || word === 'quit') break;
    if (word === 'help')
      process.stdout.write(`${[...OWN_WORDS, ...TOOL_WORDS].sort().join(' ')}\nAbout one: tabwright tools NAME\n`);
    else {
      const reply = await runLine(client, start, line).catch(explain);
      if (reply) code = printReply(reply);
      if (reply && !reply.typed && word !== '') kept.unshift(line);
    }
    lines.prompt();
  }
  lines.close();
  client.close();
  replaceFileSync(file, `${[...new Set(kept)].slice(0, MOST_LINES).reverse().join('\n')}\n`);
  return process.stdin.isTTY ? 0 : code;
};

function complete(line: string): [string[], string] {
  const [, start = ''] = /^\s*(\S*)$/.exec(line) ?? [];
  const words = /^\s*\S*$/.test(line) ? [...OWN_WORDS, ...TOOL_WORDS].filter(word => word.startsWith(start)) : [];
  return [words.sort(), start];
}

/** The newest line first, as readline has it. */
function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).reverse();
  } catch {
    return []; // the first time there is none
  }
}

/** One wrong line does not end the prompt. What could not be read as a command is not kept either. */
function explain(error: unknown) {
  if (!(error instanceof Failure)) throw error;
  return { err: [error.message, error.hint].filter(Boolean).join(' '), code: 1, typed: true };
}
