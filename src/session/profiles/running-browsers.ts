// Runs: which browsers of profiles run. Each is told by a small file, so that another server takes it over.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivate } from '../../config/private-files.ts';
import { type DebugEndpoint, readDebugEndpoint } from '../../engine/browser/profile/port.ts';
import { isSameProcess, type ProcessIdentity } from '../../engine/browser/profile/process-identity.ts';
import type { Limits } from '../../engine/limits.ts';
import { locked } from './lock.ts';

/** What Chrome says is kept for a failed start only. */
const MOST_WORDS = 1_000_000;
const RECORD = '.json';

const FORM = z.object({
  file: z.string(),
  profile_id: z.string(),
  folder: z.string(),
  pid: z.int().min(2),
  began: z.string().min(1),
  launched_at: z.number(),
  headless: z.boolean(),
});

/** A browser of ours that runs; without a door while it starts. */
export interface RunningBrowser extends ProcessIdentity {
  /** Where its profile stands: two files may use the same ids. */
  file: string;
  profile_id: string;
  /** Its data. */
  folder: string;
  /** Seconds since 1970. */
  launched_at: number;
  headless: boolean;
  endpoint?: DebugEndpoint;
}

export class RunningBrowsers {
  readonly #folder: string;
  readonly #file: string;

  /** Those of one file of profiles, in the folder where all are told. */
  constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#file = file;
  }

  /** In the order of their start. */
  async all(): Promise<RunningBrowser[]> {
    return (await this.#everyone()).filter(({ file }) => file === this.#file);
  }

  /** Whosever it is. */
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

  async add(run: Omit<RunningBrowser, 'door' | 'file'>): Promise<void> {
    await writePrivate(
      this.#folder,
      `${keyOf(run.folder)}${RECORD}`,
      `${JSON.stringify({ file: this.#file, ...run })}\n`,
    );
  }

  async remove(folder: string): Promise<void> {
    await rm(join(this.#folder, `${keyOf(folder)}${RECORD}`), { force: true });
    await rm(this.stderrFile(folder), { force: true });
  }

  /** Takes what the browser says. */
  stderrFile(folder: string): string {
    return join(this.#folder, `${keyOf(folder)}.log`);
  }

  /** One start on a folder at a time. */
  async locked<T>(folder: string, limits: Limits, work: () => Promise<T>): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return locked(join(this.#folder, `${keyOf(folder)}.lock`), limits, work);
  }

  /** Undefined for one that has ended. Its record stays until the next start: that may just be writing its own. */
  async #look(name: string): Promise<RunningBrowser | undefined> {
    const text = await readFile(join(this.#folder, name), 'utf8').catch(() => ''); // removed meanwhile
    const { data } = FORM.safeParse(parsed(text));
    if (!data || !(await isSameProcess(data))) return undefined;
    await this.#trim(data.folder);
    const endpoint = await readDebugEndpoint(data.folder);
    return { ...data, ...(endpoint && { endpoint }) };
  }

  async #trim(folder: string): Promise<void> {
    const file = this.stderrFile(folder);
    const found = await stat(file).catch(() => undefined); // nobody needs it
    if (found && found.size > MOST_WORDS) await truncate(file);
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
