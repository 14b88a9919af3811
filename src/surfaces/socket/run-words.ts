// One command of a client, on the server: its words → a call → what the client prints.
import { isDeepStrictEqual } from 'node:util';
import type { Call, Result } from '../../call/call.ts';
import type { Approval } from '../../call/message.ts';
import type { Log } from '../../config/log.ts';
import { flagOf, type OptionKey, type Options } from '../../config/options.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { findTool } from '../cli/call/find-tool.ts';
import { readArguments, readStdin } from '../cli/call/parse-words.ts';
import { show, showFailure } from '../cli/output/show-result.ts';
import { outcomeOfResult } from '../client/remote.ts';
import { ALIASES } from '../listing/tool-words.ts';
import { settle } from '../mcp/ask-person.ts';
import type { CommandReply, CommandRequest } from './wire.ts';

/** What runs the commands. */
export interface CommandHost {
  caller: Call['caller'];
  options: Options;
  log: Log;
  run(call: Call): Promise<Result>;
}

/** The owner at a command line: limited only as the server is. */
export const ownerAt = (id: string, { maxSessions }: Options): Call['caller'] => ({ id, rateLimit: 0, maxSessions });

/** What a running command is given of its client. */
export interface ClientSide {
  signal: AbortSignal;
  reply(reply: CommandReply): void;
  ask(question: string): Promise<Approval['answer']>;
}

export async function runWords(host: CommandHost, request: CommandRequest, client: ClientSide): Promise<CommandReply> {
  try {
    return await perform(host, request, client);
  } catch (error) {
    if (error instanceof Failure) return showFailure(error, request.json === true);
    host.log.error(`command: ${error instanceof Error ? error.stack : error}`);
    return showFailure(new Failure('internal', `The command failed inside: ${error}.`), request.json === true);
  }
}

async function perform(host: CommandHost, request: CommandRequest, client: ClientSide): Promise<CommandReply> {
  const {
    words: [word = '', ...words],
    json = false,
    terminal = false,
    cwd,
    input,
    session,
  } = request;
  const { options, caller } = host;
  checkOptions(request.options ?? {}, options);
  const listed = await findTool(ALIASES[word] ?? word, options);
  const { name } = listed.tool;
  const args = input === undefined ? readArguments(listed, words) : readStdin(listed, input);
  const call: Call = defined({
    name,
    args: session === undefined ? args : { session, ...args },
    caller,
    signal: client.signal,
    workFolder: cwd,
    commandLine: true as const,
    asks: terminal,
    progress: terminal ? (progress: NonNullable<CommandReply['progress']>) => client.reply({ progress }) : undefined,
  });
  const first = await host.run(call);
  const result = terminal
    ? await settle(
        first,
        approval => host.run({ ...call, approval }),
        ({ question }) => client.ask(question),
      )
    : first;
  const shown = await show(outcomeOfResult(result), { json, tool: name, folder: options.outputDir });
  return defined({ ...shown, notes: result.notes, typed: result.hasTyped || undefined });
}

/** Options belong to the server: what a command wants otherwise must not seem to work. */
function checkOptions(wanted: Readonly<Record<string, unknown>>, options: Options): void {
  const other = Object.keys(wanted).find(key => !isDeepStrictEqual(wanted[key], options[key as OptionKey]));
  if (other !== undefined)
    throw new Failure(
      'bad_input',
      `The server that runs was started with another ${flagOf(other)}.`,
      'End it first, then the next command starts one with yours: tabwright stop',
    );
}
