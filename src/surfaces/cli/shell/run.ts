// `tabwright run`: the commands of a file or of stdin, one after the other, over one connection.
import { readFile } from 'node:fs/promises';
import { readCommand } from '../../../config/commands.ts';
import { Failure } from '../../../errors.ts';
import { TOOL_WORDS } from '../../listing/tool-words.ts';
import { type CommandClient, printReply, readStdin } from '../../socket/client.ts';
import { quickCommand, requestOf } from '../../socket/quick.ts';
import type { CommandReply, CommandRequest } from '../../socket/wire.ts';
import type { Run, Start } from '../command.ts';
import { asking, clientFor, wantedOptions } from './reach.ts';
import { splitWords } from './split-words.ts';

export const run: Run = async start => {
  const [file = ''] = start.words;
  const text = file === '-' ? await readStdin() : await readSteps(file);
  process.stdout.on('error', () => undefined); // a reader such as head may have seen enough
  const client = clientFor(start);
  try {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const reply = await runLine(client, start, line).catch(error => Promise.reject(atLine(error, file, index + 1)));
      if (!reply) continue;
      const code = printReply(reply);
      if (code === 0) continue;
      process.stderr.write(`tabwright: ${nameOf(file)}, line ${index + 1} failed: ${line.trim().slice(0, 200)}\n`);
      return code;
    }
  } finally {
    client.close();
  }
  return 0;
};

/** Undefined for a line without a command. */
export async function runLine(client: CommandClient, start: Start, line: string): Promise<CommandReply | undefined> {
  const words = splitWords(line);
  if (words[0] === 'tabwright') words.shift();
  if (words.length === 0) return undefined;
  return asking(client, await requestFor(start, words));
}

async function requestFor(start: Start, argv: string[]): Promise<CommandRequest> {
  const command = quickCommand(argv);
  if (!command) throw new Failure('bad_input', 'Options belong to the server.', 'Name them behind tabwright run.');
  const [word = ''] = command.words;
  if (word !== 'status' && !TOOL_WORDS.includes(word)) {
    readCommand(word, TOOL_WORDS);
    throw new Failure('bad_input', `${word} is no tool.`, `Run it by itself: tabwright ${word}`);
  }
  const { '--session': session, '--json': json } = start.flags;
  const all = { ...(typeof session === 'string' && { session }), ...command, json: json === true || command.json };
  return { ...(await requestOf(all)), options: wantedOptions(start) ?? {} };
}

function atLine(error: unknown, file: string, line: number): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.code, `${nameOf(file)}, line ${line}: ${error.message}`, error.hint, { cause: error });
}

const nameOf = (file: string): string => (file === '-' ? 'stdin' : file);

async function readSteps(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Failure('file_error', `${file} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`, undefined, {
      cause,
    });
  }
}
