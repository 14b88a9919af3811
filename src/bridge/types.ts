// The contracts of the bridge: the request of one run, the result of every call, and the settings of the server.
import { z } from 'zod';

/** The options that every tool takes. */
export interface CliGlobalOptions {
  session?: string | undefined;
  cdp_port?: number | undefined;
  headed?: boolean | undefined;
  debug?: boolean | undefined;
  executable_path?: string | undefined;
  json?: boolean | undefined;
  timeout_ms?: number | undefined;
}

export interface CliRunRequest {
  /** The command and its words, behind the global flags. */
  argv: readonly string[];
  globals?: CliGlobalOptions;
  /** Where stdout is written whole; relative. */
  save_output_path?: string | undefined;
  /** What the command reads from stdin; it is empty otherwise. */
  stdin?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The schema of every result: listed for clients, and the source of the type. */
export const RESULT = z.object({
  /** The command ran, ended with exit code 0 and reported no failure. */
  ok: z.boolean(),
  /** Null when a signal ended the process, -1 when no process ran. */
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  invoked: z.object({ bin: z.string(), args: z.array(z.string()) }),
  stdout: z.string(),
  stderr: z.string(),
  /** Stdout parsed, when it is JSON; null otherwise. */
  parsedJson: z.unknown(),
  /** Stdout or stderr was cut. */
  truncated: z.boolean(),
  savedOutputPath: z.string().optional(),
});

export type CliRunResult = z.output<typeof RESULT>;

/** What stays the same from run to run. */
export interface BridgeSettings {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Where the program runs. */
  cwd: string;
  /** The folders that files are read and written below; relative paths count from the first. */
  folders: readonly string[];
  /** Longest stdout and stderr in a result, in characters. */
  limit: number;
  /** Global options of the operator, for calls that do not say otherwise. */
  defaults: CliGlobalOptions;
  /** Programs that a caller may choose as the browser. */
  executables: readonly string[];
  /** Root commands that the operator allows beside the usual ones. */
  allowed: readonly string[];
}
