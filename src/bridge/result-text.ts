// The short text of a result: what a model reads when a client does not show it the structured form.
import { bound } from './cli/output.ts';
import type { CliRunResult } from './types.ts';

/** At most `limit` characters. The whole of it is in the structured form. */
export function textOf(result: CliRunResult, limit: number): string {
  const lines = result.ok ? [...told(result), result.stderr] : [headline(result), ...told(result), result.stderr];
  return bound(lines.filter(Boolean).join('\n') || 'ok', limit).text;
}

function headline({ exitCode, signal, invoked }: CliRunResult): string {
  if (exitCode === -1) return 'Not run.';
  return signal ? `Failed: ended by ${signal}.` : `Failed with exit code ${exitCode}: ${invoked.bin}`;
}

function told({ savedOutputPath, stdout, parsedJson, truncated, ok }: CliRunResult): string[] {
  const saved = savedOutputPath ? [`The output is in ${savedOutputPath}.`] : [];
  const said = parsedJson === null ? stdout.trimEnd() : read(parsedJson);
  const cut = truncated && !savedOutputPath ? ['The output was cut; save_output_path keeps all of it.'] : [];
  return ok && saved.length > 0 ? saved : [said, ...saved, ...cut];
}

/** agent-browser answers { success, data, error }; what counts is inside. */
function read(json: unknown): string {
  const { success, data, error } = Object(json) as Record<string, unknown>;
  if (success === undefined) return JSON.stringify(json);
  if (typeof error === 'string') return error;
  if (data === null || data === undefined) return '';
  const { snapshot, origin, lifecycle: _, base64: __, ...facts } = Object(data) as Record<string, unknown>;
  if (typeof snapshot === 'string') return origin === undefined ? snapshot : `Page: ${origin}\n${snapshot}`;
  return Object.keys(facts).length > 0 ? JSON.stringify(facts) : '';
}
