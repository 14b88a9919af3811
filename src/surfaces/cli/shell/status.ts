// `tabwright status`: asks the user's server about itself.
import { BUILD, printReply } from '../../socket/client.ts';
import type { Run } from '../command.ts';
import { toJson } from '../output/terminal.ts';
import { asking, clientOfRunning } from './reach.ts';

export const run: Run = async start => {
  const json = start.flags['--json'] === true;
  const client = clientOfRunning(start);
  const reply = await asking(client, { build: BUILD, words: ['status'], json }).finally(() => client.close());
  if (reply) return printReply(reply);
  const text = 'No server runs. The next command starts one.';
  return printReply({ out: json ? toJson({ success: true, data: null, text }) : text, code: 0 });
};
