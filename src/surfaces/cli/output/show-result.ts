// What is printed of a call: results to stdout, failures to stderr, pictures as files.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, WRONG_USAGE } from '../../../errors.ts';
import { type CallOutcome, outcomeOfFailure } from '../../client/remote.ts';
import { toJson } from './terminal.ts';
import { writeNewFile } from './write-new-file.ts';

export interface Showing {
  json: boolean;
  /** The tool, for the names of pictures. */
  tool: string;
  /** Where pictures are saved. */
  folder: string;
}

/** What stands where: the answer on stdout, a failure on stderr, JSON always on stdout. */
export interface Shown {
  out?: string;
  err?: string;
  /** 0, 1 for what could not be done, 2 for what cannot be right as it was typed. */
  code: number;
}

export async function show({ text, structured, pictures }: CallOutcome, showing: Showing): Promise<Shown> {
  const { json, tool, folder } = showing;
  const files = await savePictures(pictures, folder, tool);
  const code = exitCode(structured);
  if (json) return { out: toJson({ ...structured, text, ...(files.length > 0 && { files }) }), code };
  const all = [text, ...files.map(({ path }) => `Saved ${path}`)].join('\n');
  return structured.success ? { out: all, code } : { err: all, code };
}

function exitCode(structured: CallOutcome['structured']): number {
  if (structured.success) return 0;
  return WRONG_USAGE.includes(structured.code) ? 2 : 1;
}

/** A failure before the call began, on one line. */
export function showFailure(failure: Failure, json: boolean): Shown {
  const { text, structured } = outcomeOfFailure(failure);
  const code = exitCode(structured);
  if (json) return { out: toJson({ ...structured, text }), code };
  return { err: `tabwright: ${text.replaceAll('\n', ' ')}`, code };
}

export interface PictureFile {
  path: string;
  mimeType: string;
  bytes: number;
}

/** How often a taken name is tried again with another number. */
const MOST_TRIES = 100;

export async function savePictures(
  pictures: CallOutcome['pictures'],
  folder: string,
  tool: string,
): Promise<PictureFile[]> {
  const stem = join(folder, `${tool}-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  const files: PictureFile[] = [];
  for (const { mimeType, bytes } of pictures) {
    const ending = /^image\/(\w+)/.exec(mimeType)?.[1] ?? 'bin';
    files.push({ path: await saveNew(stem, ending, bytes), mimeType, bytes: bytes.length });
  }
  return files;
}

/** Never over another file. */
async function saveNew(stem: string, ending: string, bytes: Buffer): Promise<string> {
  try {
    await mkdir(join(stem, '..'), { recursive: true, mode: 0o700 });
    const nameOf = (number: number) => `${stem}${number === 0 ? '' : `-${number + 1}`}.${ending}`;
    return await writeNewFile(nameOf, bytes, { mode: 0o600, most: MOST_TRIES });
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code;
    const hint = 'Choose another folder with --output-dir.';
    throw new Failure('file_error', `The picture could not be saved as ${stem}.${ending}: ${why}.`, hint, { cause });
  }
}
