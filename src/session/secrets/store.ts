// The list of secrets: a file of the state folder that only its user may read, with the values that no keychain keeps.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivate } from '../../config/private-files.ts';
import { Failure } from '../../errors.ts';
import { type Handle, SECRET_NAME } from '../../policy/secrets/handles.ts';
import { kept } from './keychain.ts';

const FILE = 'secrets.json';

const row = z.strictObject({
  name: z.string().regex(SECRET_NAME),
  kind: z.enum(['secret', 'totp'] satisfies Handle['kind'][]),
  /** The only origins that it goes to. */
  origins: z.array(z.string()).min(1),
  /** Callers beside the owner who may use it. */
  callers: z.array(z.string()),
  /** The entry of the system's keychain that has the value; without one it stands here. */
  keychain: z.string().optional(),
  value: z.string().optional(),
});

export type SecretRow = z.output<typeof row>;

export const hasSecrets = (stateDir: string): boolean => existsSync(join(stateDir, FILE));

/** No file is no secrets; one that cannot be read is no reason to go on. */
export async function readSecrets(stateDir: string): Promise<SecretRow[]> {
  const path = join(stateDir, FILE);
  try {
    const text = await readFile(path, 'utf8');
    return z.strictObject({ secrets: z.array(row) }).parse(JSON.parse(text)).secrets;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Failure('file_error', `The list of secrets, ${path}, cannot be read.`, 'Mend or remove it.', { cause });
  }
}

export const writeSecrets = (stateDir: string, secrets: readonly SecretRow[]): Promise<string> =>
  writePrivate(stateDir, FILE, `${JSON.stringify({ secrets }, null, 2)}\n`);

/** Undefined when the keychain does not give it. */
export const storedValue = async ({ keychain, value }: SecretRow): Promise<string | undefined> =>
  keychain === undefined ? value : kept(keychain);
