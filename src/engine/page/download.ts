// Download: one file that Chrome saves for a page, under a name of Chrome's in the folder for downloads.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Protocol } from 'devtools-protocol';
import type { TargetSession } from '../../cdp/session.ts';

export class Download {
  readonly url: string;
  readonly suggestedName: string;
  /** Bytes received, and of how many; 0 when that is not known. */
  received = 0;
  total = 0;
  /** Called when more of it has come. */
  onProgress: ((download: Download) => void) | undefined;
  /** Settles with whether all of it has come. */
  readonly complete: Promise<boolean>;
  readonly #guid: string;
  readonly #path: string;
  readonly #root: TargetSession;
  readonly #contextId: string | undefined;
  #end!: (isComplete: boolean) => void;

  constructor(
    { guid, url, suggestedFilename }: Protocol.Browser.DownloadWillBeginEvent,
    folder: string,
    { root, contextId }: { root: TargetSession; contextId: string | undefined },
  ) {
    this.url = url;
    this.suggestedName = suggestedFilename;
    this.#guid = guid;
    this.#path = join(folder, guid);
    this.#root = root;
    this.#contextId = contextId;
    this.complete = new Promise(resolve => {
      this.#end = resolve;
    });
  }

  /** Where it lies when it is complete. */
  get path(): string {
    return this.#path;
  }

  progress({ receivedBytes, totalBytes, state }: Protocol.Browser.DownloadProgressEvent): void {
    this.received = receivedBytes;
    this.total = totalBytes;
    this.onProgress?.(this);
    if (state !== 'inProgress') this.#end(state === 'completed');
  }

  /** The browser has ended. */
  lost(): void {
    this.#end(false);
  }

  async cancel(): Promise<void> {
    await this.#root.send('Browser.cancelDownload', {
      guid: this.#guid,
      ...(this.#contextId !== undefined && { browserContextId: this.#contextId }),
    });
  }

  /** Removes Chrome's copy. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
