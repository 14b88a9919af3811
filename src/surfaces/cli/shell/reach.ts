// How the commands that stay in one browser reach the user's server, with the options of their command line.
import { flagOf } from '../../../config/options.ts';
import { Failure } from '../../../errors.ts';
import { CommandClient } from '../../socket/client.ts';
import { ClientError } from '../../socket/place.ts';
import { tell } from '../../socket/quick.ts';
import type { CommandReply, CommandRequest } from '../../socket/wire.ts';
import type { Start } from '../command.ts';

/** A client that starts the server, if need be with the options that the command line names. */
export const clientFor = ({ options, given }: Start, more: readonly string[] = []): CommandClient =>
  new CommandClient({ stateDir: options.stateDir, tell, startWith: [...flagsOf(given), ...more] });

/** A client of a server that runs. */
export const clientOfRunning = ({ options }: Start): CommandClient =>
  new CommandClient({ stateDir: options.stateDir, tell });

/** The options that flags have set, other than where the server is found: it must run with the same. */
export function wantedOptions({ given }: Start): CommandRequest['options'] {
  const { stateDir: _, config: __, ...wanted } = given;
  return wanted;
}

/** A Failure instead of an error of the client: commands tell those. */
export async function asking(client: CommandClient, request: CommandRequest): Promise<CommandReply | undefined> {
  try {
    return await client.ask(request);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new Failure(error.code === 2 ? 'bad_input' : 'server_gone', error.message);
  }
}

/** As they would be typed, with whole paths. */
function flagsOf(given: Start['given']): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (key === 'stateDir') return [];
    if (typeof value === 'boolean') return [value ? flagOf(key) : flagOf(key).replace('--', '--no-')];
    return [value].flat().map(one => `${flagOf(key)}=${typed(one)}`);
  });
}

const typed = (value: unknown): string => {
  const { width, height } = Object(value);
  return width === undefined ? String(value) : `${width}x${height}`;
};
