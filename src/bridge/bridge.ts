// The bridge: one call of a tool, checked, given its turn in its session, run, and answered in one form.
import { z } from 'zod';
import { describeIssue } from '../config/issues.ts';
import { nearest } from '../config/nearest.ts';
import { Failure } from '../errors.ts';
import { checkExecutable, sessionName } from './cli/arguments.ts';
import { runWithDaemon } from './cli/daemon.ts';
import { notRun, saveResult } from './cli/run.ts';
import { versionIn } from './cli/versions.ts';
import { filesBelow } from './files.ts';
import { askVersion } from './health.ts';
import { AttachedSessions, SessionQueues, withoutLaunchSettings } from './sessions.ts';
import { type ScreenshotImage, screenshotOf } from './show-result.ts';
import { BRIDGE_TOOLS } from './tools/index.ts';
import { type BridgeTool, inputOf, others, type Runner } from './tools/tool.ts';
import type { BridgeSettings, CliGlobalOptions, CliRunResult } from './types.ts';

export interface BridgeCall {
  name: string;
  args?: Readonly<Record<string, unknown>> | undefined;
  signal?: AbortSignal | undefined;
}

export interface BridgeAnswer {
  result: CliRunResult;
  picture?: ScreenshotImage;
}

type Input = CliGlobalOptions & Record<string, unknown> & { save_output_path?: string };

export class Bridge {
  readonly #settings: BridgeSettings;
  readonly #tools: readonly BridgeTool[];
  readonly #queues = new SessionQueues();
  readonly #ending = new AbortController();
  readonly #attached = new AttachedSessions();
  #version: string | undefined;

  constructor(settings: BridgeSettings, offered?: ReadonlySet<string>) {
    this.#settings = settings;
    this.#tools = BRIDGE_TOOLS.filter(({ name }) => offered?.has(name) ?? true);
  }

  /** Never rejects: a wrong call has a result too. */
  async call(call: BridgeCall): Promise<BridgeAnswer> {
    try {
      const tool = this.#find(call.name);
      const result = await this.#run(tool, inputFor(tool, call.args ?? {}), call.signal);
      const picture = tool.picture && result.ok ? await screenshotOf(result) : undefined;
      return { result, ...(picture && { picture }) };
    } catch (error) {
      return { result: notRun(error, this.#settings) };
    }
  }

  /** Ends what still runs. Browsers stay, as they do for the CLI. */
  close(): void {
    this.#ending.abort();
  }

  /** The result, and the root command that gave it. */
  async #perform(
    tool: BridgeTool,
    input: Input,
    globals: CliGlobalOptions,
    runner: Runner,
  ): Promise<{ result: CliRunResult; root?: string | undefined }> {
    const settings = this.#settings;
    const { save_output_path } = input;
    const { run } = tool;
    if (run)
      return { result: await saveResult(() => run(input, globals, runner, settings), { save_output_path }, settings) };
    const files = filesBelow(settings.folders);
    const made = await tool.argv(input, { files, allowed: settings.allowed, version: () => this.#versionOf(runner) });
    const command = Array.isArray(made) ? { argv: made } : made;
    return { result: await runner({ ...command, globals, save_output_path }), root: command.argv[0] };
  }

  /** Asked for once, and again when there was no answer. */
  async #versionOf(runner: Runner): Promise<string | undefined> {
    this.#version ??= versionIn((await askVersion(runner)).stdout);
    return this.#version;
  }

  #find(name: string): BridgeTool {
    const tool = this.#tools.find(tool => tool.name === name);
    if (tool) return tool;
    const names = this.#tools.map(tool => tool.name);
    const close = nearest(name, names);
    throw new Failure(
      'unknown_tool',
      `There is no tool ${name.slice(0, 100)}.`,
      `Tools: ${(close.length ? close : names).join(', ')}.`,
    );
  }

  async #run(tool: BridgeTool, input: Input, asked: AbortSignal | undefined): Promise<CliRunResult> {
    const { session: named, cdp_port, headed, debug, executable_path, json, timeout_ms } = input;
    // An argument that the tool has for itself is no global one.
    const globals = others(tool.input, { session: named, cdp_port, headed, debug, executable_path, json, timeout_ms });
    checkExecutable(globals, this.#settings);
    const session = sessionName(globals, this.#settings) ?? 'default';
    const signal = AbortSignal.any([this.#ending.signal, ...(asked ? [asked] : [])]);
    return this.#queues.run(tool.free ? undefined : session, { signal, ms: globals.timeout_ms }, async () => {
      const settings = this.#attached.has(session) ? withoutLaunchSettings(this.#settings) : this.#settings;
      const runner: Runner = request => runWithDaemon({ ...request, signal }, settings);
      const { result, root } = await this.#perform(tool, input, globals, runner);
      if (result.ok) this.#attached.note(session, root);
      return result;
    });
  }
}

/** The arguments with their defaults; or a Failure that names every wrong one. */
function inputFor(tool: BridgeTool, args: Readonly<Record<string, unknown>>): Input {
  const shape = inputOf(tool);
  const names = Object.keys(shape);
  const parsed = z.strictObject(shape).safeParse(args, { reportInput: true });
  const wrong = [
    ...(parsed.error?.issues.flatMap(issue => describeIssue(issue, names)) ?? []),
    ...wrongChoices(tool, args),
  ];
  if (parsed.success && wrong.length === 0) return parsed.data as Input;
  throw new Failure('bad_input', `${tool.name}: ${wrong.slice(0, 5).join('; ')}.`, `It takes: ${names.join(', ')}.`);
}

const wrongChoices = ({ oneOf = [] }: BridgeTool, args: Readonly<Record<string, unknown>>): string[] =>
  oneOf
    .filter(names => names.filter(name => args[name] !== undefined).length !== 1)
    .map(names => `give exactly one of ${names.join(', ')}`);
