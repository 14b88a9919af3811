// The picture that a screenshot names: read back, so that the model sees it too.
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { CliRunResult } from './types.ts';

export interface Picture {
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
export async function pictureOf({ parsedJson }: CliRunResult): Promise<Picture | undefined> {
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
