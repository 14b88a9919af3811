// The file of profiles: read again when others changed it, and changed in one step by one process at a time.
import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DRAFT, removeOldDrafts, replaceFile } from '../../config/private-files.ts';
import { defined } from '../../defined.ts';
import { bounded, unlimited } from '../../engine/limits.ts';
import { Failure } from '../../errors.ts';
import { locked } from './lock.ts';
import { PROFILE_SCHEMA, type Profile } from './profile.ts';

const MOST_BYTES = 5_000_000;
const MOST_PROFILES = 1_000;
/** For one change, the wait for others included. */
const CHANGE_MS = 15_000;

interface Read {
  text: string;
  profiles: Profile[];
}

export class ProfileStore {
  readonly #given: string;
  #last: (Read & { stamp: string }) | undefined;

  constructor(file: string) {
    this.#given = file;
  }

  /** In their order; none when there is no file. */
  async all(): Promise<readonly Profile[]> {
    return (await this.#read(await this.#file())).profiles;
  }

  /** The others see all of the change or nothing of it, however this process ends. Gives what the edit gives. */
  async change<T>(edit: (profiles: Profile[]) => T | Promise<T>): Promise<T> {
    const file = await this.#file();
    await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(error => {
      throw failed(file, 'written', error);
    });
    return this.#alone(file, async () => {
      const { text, profiles } = await this.#read(file);
      const edited = [...profiles];
      const result = await edit(edited);
      if (edited.length > MOST_PROFILES)
        throw new Failure(
          'refused',
          `There are already ${MOST_PROFILES} profiles, the most that are kept.`,
          'Delete one.',
        );
      const { print } = await formatOf(file);
      await replaceFile(file, print(text, edited), { durable: true }).catch(error => {
        throw failed(file, 'written', error);
      });
      await removeOldParts(file);
      return result;
    });
  }

  /** A link stays a link: what it leads to is changed. */
  async #file(): Promise<string> {
    return realpath(this.#given).catch(() => this.#given); // not there yet
  }

  async #alone<T>(file: string, work: () => Promise<T>): Promise<T> {
    const late = () => failed(file, 'written', 'others hold it');
    return bounded(unlimited(), CHANGE_MS, late, limits => locked(`${file}.lock`, limits, work));
  }

  async #read(file: string): Promise<Read> {
    const found = await stat(file).catch(error => {
      if (error.code === 'ENOENT') return undefined;
      throw failed(file, 'read', error);
    });
    if (!found) return { text: '', profiles: [] };
    const stamp = `${found.mtimeMs}:${found.size}:${found.ino}`;
    if (this.#last?.stamp === stamp) return this.#last;
    if (process.platform !== 'win32' && found.mode & 0o022)
      throw failed(file, 'trusted', 'others can write it', `It says what runs on this machine. Run: chmod 600 ${file}`);
    if (found.size > MOST_BYTES) throw failed(file, 'read', `it has more than ${MOST_BYTES} bytes`);
    const text = await readFile(file, 'utf8').catch(error => {
      throw failed(file, 'read', error);
    });
    this.#last = { stamp, text, profiles: profilesIn(text, await formatOf(file), file) };
    return this.#last;
  }
}

/** A file that cannot be read is left as it is, and nothing is written over it. */
function profilesIn(text: string, form: ProfileFormat, file: string): Profile[] {
  const keys = parsed(text, form, file);
  const rows = keys.profiles ?? [];
  if (!Array.isArray(rows)) throw failed(file, 'read', 'profiles is no list');
  const seen = new Set<string>();
  return rows.map((row, at) => {
    const { data, error } = PROFILE_SCHEMA.safeParse(row);
    const [issue] = error?.issues ?? [];
    if (!data) throw failed(file, 'read', `profile ${at + 1}: ${issue?.path.join('.') || 'it'} is not as expected`);
    if (seen.has(data.id.toLowerCase())) throw failed(file, 'read', `the id ${data.id} stands twice`);
    seen.add(data.id.toLowerCase());
    return defined(data);
  });
}

function parsed(text: string, { parse }: ProfileFormat, file: string): Record<string, unknown> {
  try {
    return Object(parse(text));
  } catch (error) {
    throw failed(file, 'read', (error as Error).message.split('\n')[0] ?? '');
  }
}

/** Drafts of the file, and locks that were not released. */
function removeOldParts(file: string): Promise<void> {
  const isPart = (name: string) => name.endsWith(DRAFT) || /\.lock\.[0-9a-f]{12}$/.test(name);
  return removeOldDrafts(dirname(file), name => name.startsWith(`${basename(file)}.`) && isPart(name));
}

function failed(
  file: string,
  doing: 'read' | 'written' | 'trusted',
  why: string | NodeJS.ErrnoException,
  hint = 'Correct it, or name another one with --profiles-file.',
): Failure {
  const reason = typeof why === 'string' ? why : (why.code ?? why.message);
  return new Failure('file_error', `The file of profiles ${basename(file)} cannot be ${doing}: ${reason}.`, hint);
}

interface ProfileFormat {
  /** All keys of the file. */
  parse(text: string): Record<string, unknown>;
  /** The text with these profiles instead of those in it. */
  print(text: string, profiles: readonly object[]): string;
}

/** By the ending of the file. Its parser is loaded only then. */
async function formatOf(file: string): Promise<ProfileFormat> {
  if (!/\.toml$/i.test(file)) return JSON_FORM;
  const { parse, stringify } = await import('smol-toml');
  return {
    parse,
    print(text, profiles) {
      const wanted = { ...parse(text), profiles };
      const edited = `${withoutTables(text)}${stringify({ profiles })}\n`;
      // Profiles in another notation, such as in one line, are still in the rest of the text: then comments are lost.
      return means(edited, wanted) ? edited : `${stringify(wanted)}\n`;
    },
  };

  function means(text: string, wanted: object): boolean {
    try {
      return isDeepStrictEqual(plain(parse(text)), plain(wanted));
    } catch {
      return false;
    }
  }
}

const JSON_FORM: ProfileFormat = {
  parse: text => (text.trim() === '' ? {} : JSON.parse(text)),
  print: (text, profiles) => `${JSON.stringify({ ...JSON_FORM.parse(text), profiles }, undefined, 2)}\n`,
};

/** The rest of the text with its comments: without the tables [[profiles]] and those below them. */
function withoutTables(text: string): string {
  const lines: string[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const [, name] = /^\s*\[\[?\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (name !== undefined) isInside = /^(?:profiles|"profiles"|'profiles')\s*(?:\.|$)/.test(name);
    if (!isInside) lines.push(line);
  }
  const rest = lines.join('\n').trimEnd();
  return rest === '' ? '' : `${rest}\n\n`;
}

/** Without the classes that parsers give to tables and times. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}n` : item)));
