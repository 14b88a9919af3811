// `tabwright call`: one tool, on the running server or in a browser of its own.
import { constants } from 'node:os';
import type { Call } from '../../../call/call.ts';
import { Failure, WRONG_USAGE } from '../../../errors.ts';
import { type Outcome, ofFailure, ofResult } from '../../client/outcome.ts';
import { callRemote } from '../../client/remote.ts';
import { findRunning, type RunningServer } from '../../client/running-servers.ts';
import { usable } from '../../listing/toolset.ts';
import { settle } from '../../mcp/ask-person.ts';
import { LOCAL } from '../../mcp/server-config.ts';
import { policyOf, Runtime } from '../../runtime.ts';
import { closeCalls, type Run, type Start } from '../command.ts';
import { show } from '../output/show-result.ts';
import { statusLine } from '../output/status-line.ts';
import { type AskPerson, terminalAsk } from './ask-person.ts';
import { findTool } from './find-tool.ts';
import { readObject } from './parse-json.ts';
import { type Arguments, readArguments } from './parse-words.ts';

/** What the server may take beyond the longest call, in ms. */
const GRACE_MS = 5_000;

/** The longest time that a timer can wait. */
const MOST_MS = 2_147_483_647;

/** Longest arguments on stdin, in bytes: what one request to the server may hold. */
const MOST_INPUT = 4 * 1024 * 1024;

const NOTE = 'No server is running, so the page is gone after this call. Start one with: tabwright serve\n';

type Asked = Required<Pick<Call, 'name' | 'args' | 'signal'>> & Pick<Call, 'progress'> & { ask?: AskPerson };

/** Where a call runs. */
interface Place {
  call(asked: Asked): Promise<Outcome>;
  close(code: number): Promise<void>;
}

export const run: Run = async start => {
  const [tool = ''] = start.words;
  const showing = { json: start.flags['--json'] === true, tool, folder: start.options.outputDir };
  // A reader that has seen enough, such as head, is no fault.
  process.stdout.on('error', () => undefined);
  try {
    return await perform(start, tool, outcome => show(outcome, showing));
  } catch (error) {
    if (!showing.json || !(error instanceof Failure)) throw error;
    const outcome = ofFailure(error);
    await show(outcome, showing);
    return exitCode(outcome);
  }
};

async function perform(start: Start, name: string, print: (outcome: Outcome) => Promise<void>): Promise<number> {
  const args = await argumentsOf(start, name);
  const running = await findRunning(start.options.stateDir);
  const place = running ? onServer(start, running) : await inOwnBrowser(start);
  const stop = interruption();
  const { progress, wipe } = statusLine();
  let code = 1;
  try {
    const ask = terminalAsk(stop.signal, wipe);
    const asked: Asked = { name, args, signal: stop.signal, ...(progress && { progress }), ...(ask && { ask }) };
    const outcome = await place.call(asked).finally(wipe);
    code = exitCode(outcome);
    await print(outcome);
  } finally {
    code = stop.code() ?? code;
    await place.close(code);
  }
  return code;
}

async function argumentsOf({ words: [, ...words], options }: Start, name: string): Promise<Arguments> {
  const listed = await findTool(name, options);
  return words.length === 1 && words[0] === '-' ? readObject(await readInput()) : readArguments(listed, words);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_INPUT)
      throw new Failure('bad_input', `The arguments on stdin are longer than ${MOST_INPUT} bytes.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function onServer({ version, options: { dialect, timeoutCall } }: Start, running: RunningServer): Place {
  const at = dialect === 'native' ? running : { ...running, url: `${running.url}/${dialect}` };
  return {
    call: asked => callRemote(at, { ...asked, version, ms: Math.min(timeoutCall + GRACE_MS, MOST_MS) }),
    close: async () => undefined,
  };
}

async function inOwnBrowser({ options, log }: Start): Promise<Place> {
  const calls = new Runtime(options, usable(options.tools), log, await policyOf(options));
  return {
    async call({ ask, ...asked }) {
      if (process.stderr.isTTY) process.stderr.write(NOTE);
      const call: Call = { ...asked, dialect: options.dialect, caller: LOCAL, asks: ask !== undefined };
      const result = await calls.run(call);
      if (!ask) return ofResult(result);
      return ofResult(await settle(result, approval => calls.run({ ...call, approval }), ask));
    },
    close: code => closeCalls(calls, log, code),
  };
}

/** The first signal cancels the call, a second one ends the process at once. The code is what shells expect. */
function interruption(): { signal: AbortSignal; code(): number | undefined } {
  const stop = new AbortController();
  let code: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      code ??= 128 + constants.signals[signal];
      stop.abort();
    });
  return { signal: stop.signal, code: () => code };
}

function exitCode({ structured }: Outcome): number {
  if (structured.success) return 0;
  return WRONG_USAGE.includes(structured.code) ? 2 : 1;
}
