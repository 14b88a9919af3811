// Prints what came of a call: results to stdout, failures to stderr, pictures as files.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../errors.ts';
import type { CallOutcome } from '../../client/remote.ts';
import { toJson } from './terminal.ts';
import { writeNewFile } from './write-new-file.ts';

/** Characters that would steer the terminal: text of a page must not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const STEERING = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export interface Showing {
  json: boolean;
  /** The tool, for the names of pictures. */
  tool: string;
  /** Where pictures are saved. */
  folder: string;
}

export async function show(
  { text, structured, pictures }: CallOutcome,
  { json, tool, folder }: Showing,
): Promise<void> {
  const files = await savePictures(pictures, folder, tool);
  if (json) {
    return write(process.stdout, toJson({ ...structured, text, ...(files.length > 0 && { files }) }));
  }
  const saved = files.map(({ path }) => `Saved ${path}`);
  write(structured.success ? process.stdout : process.stderr, [text, ...saved].join('\n'));
}

export function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? text.replace(STEERING, '\ufffd') : text}\n`);
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
