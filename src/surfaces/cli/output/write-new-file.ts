// Writes a file under the first of several names that is free.
import { writeFile } from 'node:fs/promises';
import { hasCode } from '../../../config/document.ts';

/** `nameOf` gives the name of each try, from 0 on. Rejects with EEXIST when `most` names are taken. */
export async function writeNewFile(
  nameOf: (number: number) => string,
  bytes: Uint8Array,
  { mode, most }: { mode: number; most: number },
): Promise<string> {
  for (let number = 0; ; number++) {
    try {
      await writeFile(nameOf(number), bytes, { flag: 'wx', mode });
      return nameOf(number);
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || number + 1 === most) throw error;
    }
  }
}
