// `tabwright call`: one tool, on the running server or in a browser of its own.
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Call } from '../../../call/call.ts';
import type { Approval, Question } from '../../../call/message.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { APPROVAL_MS } from '../../../session/rules/approvals.ts';
import { timeoutSignal } from '../../client/http.ts';
import { type CallOutcome, callRemote, outcomeOfResult } from '../../client/remote.ts';
import { findRunning, type RunningServer } from '../../client/running-servers.ts';
import { usable } from '../../listing/toolset.ts';
import { settle } from '../../mcp/ask-person.ts';
import { LOCAL } from '../../mcp/server-config.ts';
import { policyOf, Runtime } from '../../runtime.ts';
import { closeRuntime, type Run, type Start, signalled } from '../command.ts';
import { type Shown, show, showFailure } from '../output/show-result.ts';
import { statusLine } from '../output/status-line.ts';
import { write } from '../output/write-text.ts';
import { findTool } from './find-tool.ts';
import { type Arguments, readArguments, readStdin } from './parse-words.ts';

/** How long, in ms, the server may take beyond the longest call. */
const GRACE_MS = 5_000;

/** Longest time of a timer, in ms. */
const MAX_TIMER_MS = 2_147_483_647;

/** Longest arguments on stdin, in bytes: what one request to the server may hold. */
const MAX_INPUT = 4 * 1024 * 1024;

const NOTE = 'No server is running, so the page is gone after this call. Start one with: tabwright serve\n';

type AskPerson = (ask: Pick<Question, 'question'>) => Promise<Approval['answer']>;

type CliCall = Required<Pick<Call, 'name' | 'args' | 'signal'>> & Pick<Call, 'progress'> & { ask?: AskPerson };

/** Runs the call: a running server, or a browser of this process. */
interface Backend {
  call(call: CliCall): Promise<CallOutcome>;
  close(code: number): Promise<void>;
}

export const run: Run = async start => {
  const [tool = ''] = start.words;
  const showing = { json: start.flags['--json'] === true, tool, folder: start.options.outputDir };
  // A reader that closes the pipe early, such as head, is no fault.
  process.stdout.on('error', () => undefined);
  try {
    return await perform(start, tool, outcome => show(outcome, showing));
  } catch (error) {
    if (!showing.json || !(error instanceof Failure)) throw error;
    return printShown(showFailure(error, true));
  }
};

async function perform(start: Start, name: string, shown: (outcome: CallOutcome) => Promise<Shown>): Promise<number> {
  const args = await argumentsOf(start, name);
  const running = await findRunning(start.options.stateDir);
  const backend = running ? onServer(start, running) : await inOwnBrowser(start);
  const interrupted = interruption();
  const { progress, wipe } = statusLine();
  let code = 1;
  try {
    const { signal } = interrupted;
    const call: CliCall = defined({ name, args, signal, progress, ask: terminalAsk(signal, wipe) });
    const outcome = await backend.call(call).finally(wipe);
    code = printShown(await shown(outcome));
  } finally {
    code = interrupted.code() ?? code;
    await backend.close(code);
  }
  return code;
}

function printShown({ out, err, code }: Shown): number {
  if (out !== undefined) write(process.stdout, out);
  if (err !== undefined) write(process.stderr, err);
  return code;
}

async function argumentsOf({ words: [, ...words], options }: Start, name: string): Promise<Arguments> {
  const listed = await findTool(name, options);
  const input = words.length === 1 && words[0] === '-' ? await readInput() : undefined;
  return input === undefined ? readArguments(listed, words) : readStdin(listed, input);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_INPUT) throw new Failure('bad_input', `The arguments on stdin are longer than ${MAX_INPUT} bytes.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function onServer({ version, options: { dialect, timeoutCall } }: Start, running: RunningServer): Backend {
  const at = dialect === 'native' ? running : { ...running, url: `${running.url}/${dialect}` };
  return {
    call: call => callRemote(at, { ...call, version, ms: Math.min(timeoutCall + GRACE_MS, MAX_TIMER_MS) }),
    close: async () => undefined,
  };
}

async function inOwnBrowser({ options, log }: Start): Promise<Backend> {
  const runtime = new Runtime(options, usable(options.tools), log, await policyOf(options));
  return {
    async call({ ask, ...asked }) {
      if (process.stderr.isTTY) process.stderr.write(NOTE);
      const call: Call = { ...asked, dialect: options.dialect, caller: LOCAL, asks: ask !== undefined };
      const result = await runtime.run(call);
      if (!ask) return outcomeOfResult(result);
      return outcomeOfResult(await settle(result, approval => runtime.run({ ...call, approval }), ask));
    },
    close: code => closeRuntime(runtime, log, code),
  };
}

/** The first signal cancels the call, a second one ends the process at once. The code is what shells expect. */
function interruption(): { signal: AbortSignal; code(): number | undefined } {
  const controller = new AbortController();
  let code: number | undefined;
  void signalled().then(signal => {
    code = 128 + constants.signals[signal];
    controller.abort();
  });
  return { signal: controller.signal, code: () => code };
}

/** Asks at the terminal; undefined where nobody would see the question. */
function terminalAsk(signal: AbortSignal, wipe: () => void): AskPerson | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return ({ question }) => {
    wipe();
    process.stderr.write(`${question}\n[y/N] `);
    return readAnswer(signal);
  };
}

/** Ctrl+C, the end of the input and no answer in time are no approval. */
async function readAnswer(signal: AbortSignal): Promise<Approval['answer']> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const ends = AbortSignal.any([signal, timeoutSignal(APPROVAL_MS)]);
  try {
    const closed = once(lines, 'close', { signal: ends }).then(() => undefined);
    const text = await Promise.race([lines.question('', { signal: ends }), closed]);
    if (text === undefined) return 'cancel';
    return /^y(?:es)?$/i.test(text.trim()) ? 'accept' : 'decline';
  } catch (error) {
    if (!ends.aborted) throw error;
    return 'cancel';
  } finally {
    lines.close();
  }
}
