// `tabwright attach`: the commands that follow use the browser that the user runs already.
import { currentEnvironment } from '../../../config/environment.ts';
import { findDebugged } from '../../../engine/browser/attach/find-running.ts';
import { Failure } from '../../../errors.ts';
import { BUILD, printReply } from '../../socket/client.ts';
import { BACKGROUND, namesIn, socketFolder } from '../../socket/place.ts';
import { tell } from '../../socket/quick.ts';
import type { Run, Start } from '../command.ts';
import { asking, clientFor } from './reach.ts';
import { stopServer } from './stop.ts';

export const run: Run = async start => {
  const endpoint = await endpointOf(start);
  const names = namesIn(socketFolder(start.options.stateDir));
  if (names.some(name => name !== BACKGROUND))
    throw new Failure('refused', 'A server of tabwright serve runs, and commands use its browser.', 'End it first.');
  if (names.length > 0) {
    await stopServer(start.options.stateDir);
    tell('the background server that ran was ended; its pages are closed');
  }
  const client = clientFor(start, [`--cdp-endpoint=${endpoint}`]);
  const reply = await asking(client, { build: BUILD, words: ['tab_list'] }).finally(() => client.close());
  if (reply?.code === 0) {
    const shown = new URL(endpoint);
    process.stdout.write(`Attached to the browser at ${shown.host}. Commands use its tabs until: tabwright stop\n`);
  } else {
    // It has no browser, and would be in the way.
    await stopServer(start.options.stateDir);
  }
  return reply ? printReply(reply) : 1;
};

/** The named one, that of --cdp-endpoint, or one that is found. */
async function endpointOf({ words: [named], options }: Start): Promise<string> {
  if (named !== undefined && /^\d{1,5}$/.test(named)) return `http://127.0.0.1:${named}`;
  if (named !== undefined && !/^(?:https?|wss?):\/\//.test(named))
    throw new Failure('bad_input', `${named} is no address of a browser.`, 'Write a port, or http://127.0.0.1:9222.');
  const endpoint = named ?? options.cdpEndpoint ?? (await findDebugged(currentEnvironment()));
  if (endpoint !== undefined) return endpoint;
  throw new Failure(
    'browser_missing',
    'No running browser allows debugging.',
    'In Chrome 144 or newer open chrome://inspect/#remote-debugging and allow it; or start Chrome with --remote-debugging-port=9222 --user-data-dir=FOLDER, then: tabwright attach 9222',
  );
}
