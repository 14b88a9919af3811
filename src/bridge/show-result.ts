// What a model is shown of a result beside the structured form: a short text, and the picture of a screenshot.
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { truncate } from './cli/output.ts';
import type { CliRunResult } from './types.ts';

/** At most `limit` characters. The whole of it is in the structured form. */
export function textOf(result: CliRunResult, limit: number): string {
  const lines = result.ok ? [...told(result), result.stderr] : [headline(result), ...told(result), result.stderr];
  return truncate(lines.filter(Boolean).join('\n') || 'ok', limit).text;
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

export interface ScreenshotImage {
  bytes: Buffer;
  mimeType: string;
}

/** A larger one is only named. */
const MOST_BYTES = 5 * 1024 * 1024;

const KINDS: readonly { mimeType: string; begins: Buffer }[] = [
  { mimeType: 'image/png', begins: Buffer.from('89504e470d0a1a0a', 'hex') },
  { mimeType: 'image/jpeg', begins: Buffer.from('ffd8ff', 'hex') },
];

/** Undefined when there is no picture to show; the result still says where it is. */
export async function screenshotOf({ parsedJson }: CliRunResult): Promise<ScreenshotImage | undefined> {
  const bytes = await bytesOf(Object(Object(parsedJson).data));
  const kind = bytes && KINDS.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins));
  return kind && { bytes, mimeType: kind.mimeType };
}

/** A file that is named; old versions give the picture itself. */
async function bytesOf({ path, base64 }: Record<string, unknown>): Promise<Buffer | undefined> {
  if (typeof base64 === 'string') return base64.length <= MOST_BYTES ? Buffer.from(base64, 'base64') : undefined;
  if (typeof path !== 'string' || !isAbsolute(path)) return undefined;
  return readBounded(path).catch(() => undefined);
}

async function readBounded(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return size <= MOST_BYTES ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}
