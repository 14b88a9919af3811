// The downloads of one session: saved in the output folder under their own names, listed, and reported once they have ended.
import { chmod, copyFile, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { asWord } from '../../policy/foreign-text.ts';
import { counted } from '../amounts.ts';
import { writablePath } from '../files.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Download } from '../page/download.ts';
import { PageShare } from '../page-share.ts';

export interface DownloadRow {
  id: number;
  tabId: number;
  name: string;
  url: string;
  state: 'running' | 'done' | 'failed';
  /** Bytes received, and of how many; 0 when that is not known. */
  received: number;
  total: number;
  /** Where it was saved. None in an attached browser, which saves it where its user wants. */
  path?: string;
  error?: string;
}

export interface Transfer {
  row: DownloadRow;
  ended: Promise<void>;
  /** What a wait has reported already. */
  beginReported: boolean;
  endReported: boolean;
}

interface Entry extends Transfer {
  /** The end was reported beside another answer. */
  noted: boolean;
  /** Ends it before its time; none for what an attached browser saves itself. */
  cancel?(): void;
}

const MOST = 100;
/** That pages may begin between two actions of the caller. */
const MOST_BY_PAGES = 10;

export class Downloads {
  readonly share = new PageShare(
    MOST_BY_PAGES,
    refused =>
      `${counted(refused, 'download')} that a page began ${refused === 1 ? 'was' : 'were'} cancelled: at most ${MOST_BY_PAGES} between two actions.`,
  );
  readonly #entries: Entry[] = [];
  #last = 0;
  /** Of files that are saved. */
  #bytes = 0;

  constructor(
    /** Of all files of the session. */
    readonly mostBytes: number,
    /** Called when a download has begun or ended. */
    readonly changed: () => void,
  ) {}

  /** Oldest first. */
  list(): DownloadRow[] {
    return this.#entries.map(({ row }) => row);
  }

  /** The latest with such a name that no wait has reported yet: its begin, or with toTheEnd its end. */
  next(wanted: string, toTheEnd: boolean): Transfer | undefined {
    const name = wanted.toLowerCase();
    return this.#entries.findLast(
      ({ row, beginReported, endReported }) =>
        !endReported && (toTheEnd || !beginReported) && row.name.toLowerCase().includes(name),
    );
  }

  /** Sentences about the downloads that have ended, each once: for the next answer. */
  takeNotes(): string[] {
    const ended = this.#entries.filter(
      ({ row, endReported, noted }) => row.state !== 'running' && !endReported && !noted,
    );
    for (const entry of ended) entry.noted = true;
    return [...ended.map(({ row }) => `${downloadText(row)}.`), ...this.share.takeNotes()];
  }

  /** Saves it below the folder as soon as it is complete. */
  add(download: Download, tabId: number, folder: string): void {
    const cancel = () => void download.cancel().catch(() => undefined); // gone with its page
    if (!this.share.take()) {
      cancel();
      return;
    }
    const entry = this.#add(download.suggestedName, download.url, tabId);
    const { row } = entry;
    entry.cancel = cancel;
    download.onProgress = ({ received, total }) => {
      if (row.state === 'running') Object.assign(row, { received, total });
      this.#endTooLarge();
    };
    entry.ended = save(download, row, folder, bytes => this.#claim(bytes)).then(this.changed);
  }

  /** Room for a file of so many bytes; false when there is no more. */
  #claim(bytes: number): boolean {
    const isRoom = this.#bytes + bytes <= this.mostBytes;
    if (isRoom) this.#bytes += bytes;
    return isRoom;
  }

  /** Files that could not be kept are not waited for. */
  #endTooLarge(): void {
    for (const { row, cancel } of this.#entries) {
      const isKept = row.state !== 'running' || this.#bytes + Math.max(row.received, row.total) <= this.mostBytes;
      if (isKept || !cancel) continue;
      row.error = TOO_LARGE;
      cancel();
    }
  }

  /** For a browser that saves its downloads itself: events of the page are all that is known of them. */
  follow(cdp: CdpSession, tabId: number, began: (name: string) => void): void {
    const running = new Map<string, { row: DownloadRow; end(): void }>();
    cdp.on('Page.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      if (running.has(guid)) return;
      const entry = this.#add(suggestedFilename, url, tabId);
      entry.ended = new Promise(end => running.set(guid, { row: entry.row, end }));
      began(suggestedFilename);
    });
    cdp.on('Page.downloadProgress', ({ guid, receivedBytes: received, totalBytes: total, state }) => {
      const known = running.get(guid);
      if (!known) return;
      Object.assign(known.row, { received, total });
      if (state === 'inProgress') return;
      Object.assign(known.row, state === 'completed' ? { state: 'done' } : { state: 'failed', error: 'canceled' });
      running.delete(guid);
      known.end();
      this.changed();
    });
  }

  #add(name: string, url: string, tabId: number): Entry {
    const row: DownloadRow = { id: ++this.#last, tabId, name, url, state: 'running', received: 0, total: 0 };
    const entry: Entry = { row, ended: Promise.resolve(), beginReported: false, endReported: false, noted: false };
    this.#entries.push(entry);
    if (this.#entries.length > MOST) this.#entries.shift();
    this.changed();
    return entry;
  }
}

/** `report.csv is downloaded (12 KB): /path`, or how far it is, or why it failed. */
export function downloadText({ state, received, total, path, error, ...row }: DownloadRow): string {
  const name = asWord(row.name);
  if (state === 'failed') return `${name} failed: ${error}`;
  if (state === 'running')
    return `${name} is loading: ${sizeText(received)}${total > 0 ? ` of ${sizeText(total)}` : ''}`;
  return `${name} is downloaded (${sizeText(received)})${path === undefined ? ', where the attached browser keeps its downloads' : `: ${asWord(path)}`}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

function sizeText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** unit;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

const TOO_LARGE = 'the files of this session would take more room than --max-download-mb gives';

/** Never rejects: the result is in the row. */
async function save(
  download: Download,
  row: DownloadRow,
  folder: string,
  claim: (bytes: number) => boolean,
): Promise<void> {
  try {
    if (!(await download.complete)) throw new Error(row.error ?? 'canceled');
    const { size } = await stat(download.path);
    if (!claim(size)) throw new Error(TOO_LARGE);
    const path = await freePath(row.name, folder);
    await moveTo(path, download.path).catch(async (cause: unknown) => {
      await rm(path, { force: true });
      throw cause;
    });
    await chmod(path, 0o600); // it has the mode that the browser wrote it with
    Object.assign(row, { path, received: size, total: size, state: 'done' });
  } catch (error) {
    row.state = 'failed';
    row.error = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  }
  await download.remove().catch(() => undefined); // it goes with the folder of the browser
}

/** Between two disks a file is copied. */
const moveTo = (path: string, from: string): Promise<void> =>
  rename(from, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    return copyFile(from, path);
  });

/** Makes an empty file with the name that the server gave, without its folders; numbered when such a file exists already. */
async function freePath(given: string, folder: string): Promise<string> {
  const name = basename(given.replaceAll('\\', '/').replaceAll('\0', '')) || 'download';
  const ending = extname(name).slice(0, 20);
  const stem = bounded(name.slice(0, name.length - extname(name).length) || 'download');
  for (let number = 1; ; number++) {
    const free = join('downloads', `${stem}${number === 1 ? '' : `-${number}`}${ending}`);
    if (await lstat(join(folder, free)).catch(() => undefined)) continue;
    const path = await writablePath(free, [folder]);
    const isOurs = await open(path, 'wx', 0o600).then(
      file => file.close().then(() => true),
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false; // another download took it just now
        throw error;
      },
    );
    if (isOurs) return path;
  }
}

/** Most disks take 255 bytes for a name. */
const LONGEST = 200;
const bounded = (stem: string): string =>
  Buffer.from(stem)
    .subarray(0, LONGEST)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
