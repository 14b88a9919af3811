// The downloads of one tab, in a bounded list.
import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Download } from 'playwright-core';
import { Failure } from '../errors.ts';
import { writablePath } from './files.ts';

export interface DownloadRow {
  /** The browser's own; it deletes the file when it ends. */
  handle: Download;
  /** Where it was kept. */
  path?: string;
  id: number;
  url: string;
  name: string;
  state: 'running' | 'done' | 'failed';
  error?: string;
}

const MOST = 100;

export class Downloads {
  readonly rows: DownloadRow[] = [];
  #last = 0;

  add(handle: Download): void {
    const row: DownloadRow = {
      id: ++this.#last,
      url: handle.url(),
      name: handle.suggestedFilename(),
      state: 'running',
      handle,
    };
    this.rows.push(row);
    if (this.rows.length > MOST) this.rows.shift();
    handle.failure().then(
      error => {
        row.state = error === null ? 'done' : 'failed';
        if (error !== null) row.error = error;
      },
      () => {
        row.state = 'failed';
      },
    );
  }
}

/** Waits for the end of the download and keeps the file below the folder, under its own name. */
export async function keepDownload(row: DownloadRow, folder: string): Promise<string> {
  if (row.path !== undefined) return row.path;
  const path = await writablePath(join('downloads', freeName(row.name, join(folder, 'downloads'))), [folder]);
  try {
    await row.handle.saveAs(path);
  } catch (error) {
    const why = row.error ?? (error instanceof Error ? error.message.split('\n')[0] : error);
    throw new Failure('file_error', `The download of ${row.name} failed: ${why}`, 'Start it again.');
  }
  row.path = path;
  return path;
}

/** The name that the server gave, without its folders; numbered when there is such a file already. */
function freeName(given: string, folder: string): string {
  const name = basename(given.replaceAll('\\', '/').replaceAll('\0', '')) || 'download';
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!existsSync(join(folder, free))) return free;
  }
}
