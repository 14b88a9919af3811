// runAgentBrowser: one run of the CLI, and its result in the form that every call answers with.
import { Failure } from '../../errors.ts';
import { DEFAULT_TIMEOUT_MS, NOT_RUN, OUTPUT_LIMIT } from '../constants.ts';
import { relativePath } from '../files.ts';
import type { BridgeSettings, CliRunRequest, CliRunResult } from '../types.ts';
import { globalArgs, sanitizeArgs } from './arguments.ts';
import { binaryOf, notStarted } from './binary.ts';
import { type ChildExit, type KillReason, runChild } from './child.ts';
import { OutputCapture, OutputFile, truncate } from './output.ts';

export async function runAgentBrowser(request: CliRunRequest, settings: BridgeSettings): Promise<CliRunResult> {
  const invoked = { bin: binaryOf(settings), args: [] as string[] };
  try {
    invoked.args = sanitizeArgs([...globalArgs(request.globals ?? {}, settings), ...request.argv]);
    const saving = await savingFor(request, settings);
    return await perform(request, settings, invoked, saving).catch(error => {
      saving?.drop();
      throw error;
    });
  } catch (error) {
    return notRun(error, settings, invoked);
  }
}

/** The result of several runs, saved like that of one. */
export async function saveResult(
  make: () => Promise<CliRunResult>,
  request: Pick<CliRunRequest, 'save_output_path'>,
  settings: BridgeSettings,
): Promise<CliRunResult> {
  const saving = await savingFor(request, settings);
  const result = await make();
  saving?.write(Buffer.from(result.stdout));
  return saving ? saved(result, saving, settings.limit) : result;
}

/** The result of a call for which no process ran: same form, exit code -1, the reason on stderr. */
export function notRun(
  error: unknown,
  settings: BridgeSettings,
  invoked: CliRunResult['invoked'] = { bin: binaryOf(settings), args: [] },
): CliRunResult {
  const { text, cut } = truncate(wordsOf(error), settings.limit);
  return { ...NOTHING, invoked, stderr: text, truncated: cut };
}

const NOTHING = { ok: false, exitCode: NOT_RUN, signal: null, stdout: '', parsedJson: null };

const wordsOf = (error: unknown): string =>
  error instanceof Failure ? [error.message, error.hint].filter(Boolean).join('\n') : `A fault in the server: ${error}`;

async function savingFor(
  { save_output_path: given }: Pick<CliRunRequest, 'save_output_path'>,
  { folders }: BridgeSettings,
): Promise<OutputFile | undefined> {
  return given === undefined ? undefined : new OutputFile(await relativePath(given, folders));
}

async function perform(
  { globals, stdin, signal }: CliRunRequest,
  settings: BridgeSettings,
  invoked: CliRunResult['invoked'],
  saving: OutputFile | undefined,
): Promise<CliRunResult> {
  const timeoutMs = globals?.timeout_ms ?? settings.defaults.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const stdout = new OutputCapture(settings.limit, { readsJson: true });
  const stderr = new OutputCapture(settings.limit, { readsJson: false });
  if (signal?.aborted) throw new Failure('cancelled', 'The call was cancelled before it began.');
  const ended = await runChild({
    ...invoked,
    env: withoutBlank(settings.env),
    cwd: settings.cwd,
    stdin,
    signal,
    timeoutMs,
    stdout(chunk) {
      stdout.write(chunk);
      saving?.write(chunk);
    },
    stderr: chunk => stderr.write(chunk),
  });
  if (ended.error) throw notStarted(invoked.bin, ended.error);
  const result = conclude(ended, { invoked, stdout: stdout.end(), stderr: stderr.end() }, timeoutMs, settings.limit);
  return saving ? saved(result, saving, settings.limit) : result;
}

/** An empty name is none; the program would take it for one. */
function withoutBlank({ AGENT_BROWSER_SESSION: session, ...env }: BridgeSettings['env']): BridgeSettings['env'] {
  return session?.trim() ? { ...env, AGENT_BROWSER_SESSION: session } : env;
}

interface Captured {
  invoked: CliRunResult['invoked'];
  stdout: ReturnType<OutputCapture['end']>;
  stderr: ReturnType<OutputCapture['end']>;
}

function conclude(
  ended: ChildExit,
  { invoked, stdout, stderr }: Captured,
  timeoutMs: number,
  limit: number,
): CliRunResult {
  const { exitCode, signal, cut } = ended;
  const told = cut ? truncate(join(ENDS[cut](timeoutMs), stderr.text), limit) : stderr;
  return {
    ok: exitCode === 0 && !cut && !saysFailure(stdout.json),
    exitCode,
    signal,
    invoked,
    stdout: stdout.text,
    stderr: told.text,
    parsedJson: stdout.json,
    truncated: stdout.cut || stderr.cut || told.cut,
  };
}

const ENDS: Record<KillReason, (timeoutMs: number) => string> = {
  timeout: ms => `agent-browser was killed: it did not end within ${ms} ms. Give timeout_ms, or a smaller task.`,
  cancelled: () => 'agent-browser was killed: the call was cancelled.',
  flood: () => `agent-browser was killed: it wrote more than ${OUTPUT_LIMIT} bytes.`,
};

const join = (...parts: string[]): string => parts.filter(Boolean).join('\n');

const saysFailure = (json: unknown): boolean => Object(json).success === false;

/** The file holds the output, so that the result need not; of a failed call both do. */
function saved(result: CliRunResult, saving: OutputFile, limit: number): CliRunResult {
  const failure = saving.end();
  if (failure) {
    const { text, cut } = truncate(join(wordsOf(failure), result.stderr), limit);
    return { ...result, ok: false, stderr: text, truncated: result.truncated || cut };
  }
  const whole = { ...result, savedOutputPath: saving.path };
  return result.ok
    ? { ...whole, stdout: '', parsedJson: null, truncated: result.truncated || result.stdout !== '' }
    : whole;
}
