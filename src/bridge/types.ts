// The contracts: what a run is asked for, and what every call answers.

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

export interface CliRunResult {
  /** The command ran, ended with exit code 0 and reported no failure. */
  ok: boolean;
  /** Null when a signal ended it, -1 when it never ran. */
  exitCode: number | null;
  signal: string | null;
  invoked: { bin: string; args: string[] };
  stdout: string;
  stderr: string;
  /** What stdout says, when it is JSON. */
  parsedJson: unknown;
  /** Stdout or stderr is not whole. */
  truncated: boolean;
  savedOutputPath?: string;
}

/** What stays the same from run to run. */
export interface Settings {
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
  /** Root commands that the operator allows beside the usual ones. */
  allowed: readonly string[];
}
