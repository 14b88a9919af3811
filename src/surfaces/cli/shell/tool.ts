// `tabwright TOOL` with options: one tool on the user's server.
import { printReply } from '../../socket/client.ts';
import { requestOf } from '../../socket/quick.ts';
import type { Run } from '../command.ts';
import { asking, clientFor, wantedOptions } from './reach.ts';

export const run: Run = async start => {
  const { words, flags } = start;
  const { '--session': session, '--json': json } = flags;
  process.stdout.on('error', () => undefined); // a reader such as head may have seen enough
  const client = clientFor(start);
  const request = await requestOf({ words, json: json === true, ...(typeof session === 'string' && { session }) });
  const reply = await asking(client, { ...request, options: wantedOptions(start) ?? {} }).finally(() => client.close());
  return reply ? printReply(reply) : 1;
};
