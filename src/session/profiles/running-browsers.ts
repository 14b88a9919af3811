// Which browsers of profiles run. Each has a small file, by which another server finds it again.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivate } from '../../config/private-files.ts';
import { canBeSignalled, isSameProcess } from '../../engine/browser/profile/process-identity.ts';
import type { Limits } from '../../engine/limits.ts';
import { noteProfilePort } from '../../policy/closed-places.ts';
import { locked } from './lock.ts';

/** Most bytes of what Chrome writes to stderr: it is of use only while Chrome starts. */
const MOST_STDERR = 1_000_000;
const RECORD = '.json';

const RUN_SCHEMA = z.object({
  /** The file of its profile: two files may use the same ids. */
  file: z.string(),
  profile_id: z.string(),
  /** The folder of its data. */
  folder: z.string(),
  pid: z.int().min(2),
  began: z.string().min(1),
  /** Where its keeper listens, with the secret that lets a client in; undefined while it starts. */
  url: z.string().optional(),
  /** Seconds since 1970. */
  launched_at: z.number(),
  headless: z.boolean(),
  /** Ports of servers that its own switches close to pages; without it, they close none. */
  closedPorts: z.array(z.int()).optional(),
});

/** The browser of a profile that runs. */
export type RunningBrowser = z.output<typeof RUN_SCHEMA>;

export class RunningBrowsers {
  readonly #folder: string;
  readonly #file: string;

  /** The browsers of one file of profiles, in the folder that has the records of all. */
  constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#file = file;
  }

  /** In the order of their start. */
  async all(): Promise<RunningBrowser[]> {
    return (await this.#everyone()).filter(({ file }) => file === this.#file);
  }

  /** Of any file of profiles. */
  async onFolder(folder: string): Promise<RunningBrowser | undefined> {
    return (await this.#everyone()).find(run => run.folder === folder);
  }

  async #everyone(): Promise<RunningBrowser[]> {
    const names = await readdir(this.#folder).catch(() => []); // nothing was ever started
    const runs = await Promise.all(names.filter(name => name.endsWith(RECORD)).map(name => this.#look(name)));
    return runs.filter(run => run !== undefined).toSorted((a, b) => a.launched_at - b.launched_at);
  }

  /** Of that profile; one profile has one, unless its folder was changed by hand. */
  async ofProfile(id: string): Promise<RunningBrowser | undefined> {
    return (await this.all()).find(({ profile_id }) => profile_id === id);
  }

  async add(run: Omit<RunningBrowser, 'file'>): Promise<void> {
    const record = { file: this.#file, ...run };
    await writePrivate(this.#folder, `${keyOf(run.folder)}${RECORD}`, `${JSON.stringify(record)}\n`);
  }

  async remove(folder: string): Promise<void> {
    await rm(join(this.#folder, `${keyOf(folder)}${RECORD}`), { force: true });
    await rm(this.stderrFile(folder), { force: true });
  }

  /** Receives what the browser writes to stderr. */
  stderrFile(folder: string): string {
    return join(this.#folder, `${keyOf(folder)}.log`);
  }

  /** One start on a folder at a time. */
  async locked<T>(folder: string, limits: Limits, work: () => Promise<T>): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return locked(join(this.#folder, `${keyOf(folder)}.lock`), limits, work);
  }

  /** Undefined for a browser that has ended. Its record stays until the next start, which may just be writing its own. */
  async #look(name: string): Promise<RunningBrowser | undefined> {
    const text = await readFile(join(this.#folder, name), 'utf8').catch(() => ''); // removed meanwhile
    const { data } = RUN_SCHEMA.safeParse(parsed(text));
    const isThere = data !== undefined && (await isSameProcess(data));
    noteProfilePort(
      join(this.#folder, name),
      isThere && data.url !== undefined ? { url: data.url, isAlive: () => canBeSignalled(data.pid) } : undefined,
    );
    if (!isThere) return undefined;
    await this.#trim(data.folder);
    return data;
  }

  async #trim(folder: string): Promise<void> {
    const file = this.stderrFile(folder);
    const found = await stat(file).catch(() => undefined); // nobody needs it
    if (found && found.size > MOST_STDERR) await truncate(file);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // removed meanwhile
  }
}

const keyOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 24);
