// The downloads of one tab, in a bounded list.
import type { Download } from 'playwright-core';

export interface DownloadRow {
  id: number;
  url: string;
  name: string;
  state: 'running' | 'done' | 'failed';
  error?: string;
}

const MOST = 100;

export class Downloads {
  readonly rows: (DownloadRow & { handle: Download })[] = [];
  #last = 0;

  add(handle: Download): void {
    const row: DownloadRow & { handle: Download } = {
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
