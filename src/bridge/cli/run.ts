// runAgentBrowser: one run of the CLI, and its result in the form that every call answers with.
import { type KillReason, runProgram } from '../../engine/run-program.ts';
import { Failure } from '../../errors.ts';
import { DEFAULT_TIMEOUT_MS, NOT_RUN, OUTPUT_LIMIT } from '../constants.ts';
import { relativePath } from '../files.ts';
import type { BridgeSettings, CliRunRequest, CliRunResult } from '../types.ts';
import { globalArgs, sanitizeArgs } from './arguments.ts';
import { binaryOf, notStarted } from './binary.ts';
import { OutputCapture, OutputFiles, stderrPath, truncate } from './output.ts';

export async function runAgentBrowser(request: CliRunRequest, settings: BridgeSettings): Promise<CliRunResult> {
  const invoked = { bin: binaryOf(settings), args: [] as string[] };
  try {
    invoked.args = sanitizeArgs([...globalArgs(request.globals ?? {}, settings), ...request.argv]);
    return await withFiles(request, settings, files => perform(request, settings, invoked, files));
  } catch (error) {
    return notRun(error, settings, invoked);
  }
}

/** The result of several runs, saved like that of one. */
export const saveResult = (
  make: () => Promise<CliRunResult>,
  request: Pick<CliRunRequest, 'save_output_path'>,
  settings: BridgeSettings,
): Promise<CliRunResult> =>
  withFiles(request, settings, async files => {
    const result = await make();
    if (!files) return result;
    files.write(Buffer.from(result.stdout), 'stdout');
    files.write(Buffer.from(result.stderr), 'stderr');
    const failure = files.end();
    if (!failure) return savedIn(files.path, result, result.truncated);
    const { text, cut } = truncate(join(messageOf(failure), result.stderr), settings.limit);
    return { ...result, ok: false, stderr: text, truncated: result.truncated || cut };
  });

/** The result of a call for which no process ran: same form, exit code -1, the reason on stderr. */
export function notRun(
  error: unknown,
  settings: BridgeSettings,
  invoked: CliRunResult['invoked'] = { bin: binaryOf(settings), args: [] },
): CliRunResult {
  const { text, cut } = truncate(messageOf(error), settings.limit);
  return { ...NOTHING, invoked, stderr: text, truncated: cut };
}

const NOTHING = { ok: false, exitCode: NOT_RUN, signal: null, stdout: '', parsedJson: null };

const messageOf = (error: unknown): string =>
  error instanceof Failure ? [error.message, error.hint].filter(Boolean).join('\n') : `A fault in the server: ${error}`;

/** Opens the files of `save_output_path`; a call that gives no result leaves none of them behind. */
async function withFiles(
  { save_output_path: given }: Pick<CliRunRequest, 'save_output_path'>,
  { folders }: BridgeSettings,
  run: (files: OutputFiles | undefined) => Promise<CliRunResult>,
): Promise<CliRunResult> {
  const files = given === undefined ? undefined : new OutputFiles(await relativePath(given, folders));
  try {
    return await run(files);
  } catch (error) {
    files?.drop();
    throw error;
  }
}

async function perform(
  { globals, stdin, signal }: CliRunRequest,
  settings: BridgeSettings,
  invoked: CliRunResult['invoked'],
  files: OutputFiles | undefined,
): Promise<CliRunResult> {
  const timeoutMs = globals?.timeout_ms ?? settings.defaults.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const captured = {
    stdout: new OutputCapture(settings.limit, { readsJson: true }),
    stderr: new OutputCapture(settings.limit, { readsJson: false }),
  };
  if (signal?.aborted) throw new Failure('cancelled', 'The call was cancelled before it began.');
  const ended = await runProgram(invoked.bin, invoked.args, {
    env: withoutBlank(settings.env),
    cwd: settings.cwd,
    stdin,
    signal,
    ms: timeoutMs,
    mostBytes: OUTPUT_LIMIT,
    chunk(bytes, stream) {
      captured[stream].write(bytes);
      files?.write(bytes, stream);
    },
  });
  if (ended.startError) throw notStarted(invoked.bin, ended.startError);
  const { exitCode, signal: endedBy, killed } = ended;
  const reason = killed ? KILLED[killed](timeoutMs) : '';
  files?.write(Buffer.from(reason), 'stderr');
  const unsaved = files?.end();
  const path = unsaved ? undefined : files?.path;
  const stdout = captured.stdout.end(path);
  const stderr = captured.stderr.end(path && stderrPath(path), join(unsaved?.message ?? '', reason));
  const result = {
    ok: exitCode === 0 && !killed && !unsaved && Object(stdout.json).success !== false,
    exitCode,
    signal: endedBy,
    invoked,
    stdout: stdout.text,
    stderr: stderr.text,
    parsedJson: stdout.json,
    truncated: stdout.cut || stderr.cut,
  };
  return path === undefined ? result : savedIn(path, result, stderr.cut);
}

/** An empty name is none; the program would take it for one. */
function withoutBlank({ AGENT_BROWSER_SESSION: session, ...env }: BridgeSettings['env']): BridgeSettings['env'] {
  return session?.trim() ? { ...env, AGENT_BROWSER_SESSION: session } : env;
}

const KILLED: Record<KillReason, (timeoutMs: number) => string> = {
  timeout: ms => `agent-browser was killed: it did not end within ${ms} ms. Give timeout_ms, or a smaller task.`,
  cancelled: () => 'agent-browser was killed: the call was cancelled.',
  flood: () => `agent-browser was killed: it wrote more than ${OUTPUT_LIMIT} bytes.`,
};

const join = (...parts: string[]): string => parts.filter(Boolean).join('\n');

/** The file holds the output, so that the result need not; of a failed call both do. */
const savedIn = (path: string, result: CliRunResult, stderrIsCut: boolean): CliRunResult => ({
  ...result,
  ...(result.ok && { stdout: '', parsedJson: null, truncated: stderrIsCut }),
  savedOutputPath: path,
});
