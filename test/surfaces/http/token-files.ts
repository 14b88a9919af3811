// Files with tokens for tests: each written anew, with the mode that a test asks for.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const LONG = 'a-token-that-is-long';

/** Writes such files into the folder; gives their paths. */
export function tokenFiles(folder: string): (name: string, text: string, mode?: number) => string {
  let count = 0;
  return (name, text, mode = 0o600) => {
    const path = join(folder, `${++count}-${name}`);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
}
