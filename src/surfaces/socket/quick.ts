// The short way of a command: words of a tool and nothing else, straight to the socket, without reading options or schemas.
import { currentEnvironment, stateFolder } from '../../config/environment.ts';
import { TOOL_WORDS } from '../listing/tool-words.ts';
import { BUILD, CommandClient, hasTerminal, printReply, readStdin, workingFolder } from './client.ts';
import { BACKGROUND, ClientError, namesIn, socketFolder } from './place.ts';
import type { CommandRequest } from './wire.ts';

/** The words of a command and the few flags that every tool takes. */
export interface QuickCommand {
  words: string[];
  json: boolean;
  session?: string;
}

/** Undefined when there are other flags: options are read elsewhere. */
export function quickCommand(argv: readonly string[]): QuickCommand | undefined {
  const command: QuickCommand = { words: [], json: false };
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, named] = /^(?:-s|--session)=(.+)$/s.exec(word) ?? [];
    if (word === '--') command.words.push(...rest.splice(0));
    else if (word === '--json') command.json = true;
    else if (named !== undefined) command.session = named;
    else if ((word === '-s' || word === '--session') && rest[0]) command.session = rest.shift() ?? '';
    else if (/^-[^\d.]/.test(word)) return undefined;
    else command.words.push(word);
  }
  return command;
}

/** A command as it goes to the server. */
export async function requestOf({ words, json, session }: QuickCommand): Promise<CommandRequest> {
  const [, ...after] = words;
  return {
    build: BUILD,
    words,
    json,
    session: session ?? (process.env.TABWRIGHT_SESSION || undefined),
    cwd: workingFolder(),
    terminal: hasTerminal(),
    ...(after.length === 1 && after[0] === '-' && { input: await readStdin() }),
  };
}

export const tell = (line: string): void => void process.stderr.write(`tabwright: ${line}.\n`);

/** False when the command must take the long way; nothing was done then. */
export async function quickly(argv: readonly string[]): Promise<boolean> {
  const command = quickCommand(argv);
  const [first = '', second = ''] = command?.words ?? [];
  const isCall = first === 'call';
  if (!command || !TOOL_WORDS.includes(isCall ? second : first)) return false;
  const environment = currentEnvironment();
  const stateDir = process.env.TABWRIGHT_STATE_DIR || stateFolder(environment);
  const client = new CommandClient({ stateDir, tell, ...(!isCall && { startWith: [] }) });
  // A reader that closes the pipe early, such as head, is no fault.
  process.stdout.on('error', () => undefined);
  try {
    // `call` goes to a server of `serve` by HTTP, and starts none.
    if (isCall && namesIn(socketFolder(stateDir))[0] !== BACKGROUND) return false;
    const reply = await client.ask(await requestOf(isCall ? { ...command, words: command.words.slice(1) } : command));
    if (!reply) return false;
    process.exitCode = printReply(reply);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    process.stderr.write(`tabwright: ${error.message}\n`);
    process.exitCode = error.code;
  } finally {
    client.close();
  }
  return true;
}
