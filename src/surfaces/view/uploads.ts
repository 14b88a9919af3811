// Files that a person gives to a page, in a folder that only this user reads. Pages read them as late as they send their form.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Failure } from '../../errors.ts';
import { HttpRefusal } from '../http/refuse.ts';

const MOST_BYTES = 20 * 1024 * 1024;
/** The oldest is removed first. */
const MOST_FILES = 50;

interface Upload {
  caller: string;
  path: string;
}

export class Uploads {
  #folder: string | undefined;
  readonly #files = new Map<string, Upload>();

  async add(req: IncomingMessage, caller: string, name: string): Promise<string> {
    const id = randomBytes(18).toString('base64url');
    const folder = join(this.#ownFolder(), id);
    await mkdir(folder, { mode: 0o700 });
    const path = join(folder, safeName(name));
    this.#files.set(id, { caller, path });
    try {
      await save(req, path);
    } catch (error) {
      await this.#remove(id);
      throw error;
    }
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST_FILES && oldest !== undefined) await this.#remove(oldest);
    return id;
  }

  /** The paths of files that this caller has sent. */
  paths(ids: readonly string[], caller: string): string[] {
    return ids.map(id => {
      const file = this.#files.get(id);
      if (file?.caller === caller) return file.path;
      throw new Failure('file_error', 'That file is not here any more.', 'Choose it again.');
    });
  }

  #ownFolder(): string {
    if (this.#folder !== undefined) return this.#folder;
    const folder = mkdtempSync(join(tmpdir(), 'tabwright-view-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    this.#folder = folder;
    return folder;
  }

  async #remove(id: string): Promise<void> {
    this.#files.delete(id);
    await rm(join(this.#ownFolder(), id), { recursive: true, force: true });
  }
}

/** The page is told the name of the file. */
const safeName = (name: string): string =>
  basename(name.replaceAll('\\', '/'))
    .replace(/[\p{Cc}\p{Cf}/:*?"<>|]/gu, '_')
    .replace(/^\.+$/, '')
    .slice(-100) || 'file';

async function save(req: IncomingMessage, path: string): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 });
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new HttpRefusal('size', `A file may have ${MOST_BYTES / 1024 / 1024} MB.`);
    if (!file.write(chunk)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}
