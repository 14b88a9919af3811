// What a model is shown of a result beside the structured form: a short text, and the picture of a screenshot.
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { stderrPath, truncate } from './cli/output.ts';
import { NOT_RUN } from './constants.ts';
import type { CliRunResult } from './types.ts';

/** At most `limit` characters; output and stderr have half of them each when both are long. */
export function textOf(result: CliRunResult, limit: number): string {
  const { ok, stderr, savedOutputPath: path } = result;
  const head = ok ? '' : headline(result);
  const saved = path ? `The output is in ${path}.` : '';
  const output = ok && path ? '' : outputOf(result);
  const lines = [head, output, saved, stderr].filter(Boolean).length;
  const room = limit - head.length - saved.length - Math.max(lines - 1, 0);
  const share = (other: string): number => Math.max(room - other.length, Math.floor(room / 2));
  const shown = [
    head,
    truncate(output, share(stderr), markFor(result, path)).text,
    saved,
    truncate(stderr, share(output), markFor(result, path && stderrPath(path))).text,
  ];
  return truncate(shown.filter(Boolean).join('\n') || 'ok', limit).text;
}

/** Where all of a text is that is shown in part. */
function markFor({ exitCode }: CliRunResult, path: string | undefined): string {
  if (exitCode === NOT_RUN) return '[cut]';
  return `[cut; ${path ? `all of it is in ${path}` : 'save_output_path keeps all of it'}]`;
}

function headline({ exitCode, signal, invoked }: CliRunResult): string {
  if (exitCode === NOT_RUN) return 'Not run.';
  return signal ? `Failed: ended by ${signal}.` : `Failed with exit code ${exitCode}: ${invoked.bin}`;
}

const outputOf = ({ stdout, parsedJson }: CliRunResult): string =>
  parsedJson === null ? stdout.trimEnd() : summarize(parsedJson);

/** agent-browser answers { success, data, error }; what counts is inside. */
function summarize(json: unknown): string {
  const { success, data, error, ...others } = Object(json) as Record<string, unknown>;
  if (success === undefined) return JSON.stringify(json);
  if (error !== null && error !== undefined) return printed(error);
  return [summarizeData(data), factsIn(others)].filter(Boolean).join('\n');
}

/** Only an object has facts to choose from; any other value is shown as it is. */
function summarizeData(data: unknown): string {
  if (data === null || data === undefined) return '';
  if (typeof data !== 'object' || Array.isArray(data)) return printed(data);
  const { snapshot, origin, lifecycle: _, base64: __, ...facts } = data as Record<string, unknown>;
  if (typeof snapshot === 'string') return origin === undefined ? snapshot : `Page: ${origin}\n${snapshot}`;
  return factsIn(facts);
}

const factsIn = (facts: object): string => (Object.keys(facts).length > 0 ? JSON.stringify(facts) : '');

const printed = (value: unknown): string => (typeof value === 'string' && value ? value : JSON.stringify(value));

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
