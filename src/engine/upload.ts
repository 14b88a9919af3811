// Upload: files from paths, urls or base64 into a file field; what was fetched or decoded is removed with the tab.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Failure } from '../errors.ts';
import { checkUrl } from '../policy/urls.ts';
import { readablePath } from './files.ts';
import { type FormDone, setFiles } from './forms.ts';
import { type Limits, remaining, under } from './limits.ts';
import type { Tab } from './tab.ts';

export interface FileSource {
  path?: string | undefined;
  url?: string | undefined;
  base64?: string | undefined;
  name?: string | undefined;
  mime_type?: string | undefined;
}

export interface UploadInput {
  selector: string;
  files: (string | FileSource)[];
  frameId?: number | undefined;
}

export interface Uploaded extends FormDone {
  files: string[];
}

/** A file that is fetched or decoded may have this many bytes. */
const MOST_BYTES = 50_000_000;

export async function upload(tab: Tab, input: UploadInput, limits: Limits): Promise<Uploaded> {
  const paths: string[] = [];
  for (const source of input.files) paths.push(await pathOf(tab, source, limits));
  const done = await setFiles(tab, input, paths, limits);
  return { ...done, files: paths.map(path => basename(path)) };
}

/** A folder for one file that we made. A page may read it as late as it submits its form: it is kept until the tab ends. */
async function scratch(tab: Tab): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tabwright-upload-'));
  tab.cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function pathOf(tab: Tab, source: string | FileSource, limits: Limits): Promise<string> {
  const given = typeof source === 'string' ? { path: source } : source;
  const kinds = (['path', 'url', 'base64'] as const).filter(kind => given[kind] !== undefined);
  if (kinds.length !== 1)
    throw new Failure('bad_input', 'Each file needs exactly one of path, url and base64.', 'Give one of them.');
  if (given.path !== undefined) return readablePath(given.path, [process.cwd(), tab.options.outputDir]);
  const bytes = given.url === undefined ? decoded(given.base64 ?? '') : await fetched(tab, given.url, limits);
  const path = join(await scratch(tab), nameOf(given));
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}

/** A plain file name: what the caller gave, or the end of the url; never a path. */
function nameOf({ name, url, mime_type }: FileSource): string {
  const wanted = basename(
    (name ?? (url === undefined ? '' : new URL(url).pathname)).replaceAll('\\', '/').replaceAll('\0', ''),
  );
  const plain = wanted === '' || wanted === '.' || wanted === '..' ? 'file' : wanted.slice(0, 200);
  const ending = mime_type?.split('/')[1]?.replace(/[^a-z0-9]/gi, '');
  return extname(plain) === '' && ending ? `${plain}.${ending}` : plain;
}

function decoded(base64: string): Buffer {
  const text = base64.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
    throw new Failure(
      'bad_input',
      'The base64 of a file cannot be read.',
      'Give plain base64, without other characters.',
    );
  return bounded(Buffer.from(text, 'base64'));
}

/** Fetched with the session's cookies, as the page itself would. */
async function fetched(tab: Tab, given: string, limits: Limits): Promise<Buffer> {
  const url = checkUrl(given);
  try {
    const response = await under(
      limits.signal,
      tab.page.context().request.get(url, { timeout: remaining(limits), maxRedirects: 5 }),
    );
    if (!response.ok()) throw new Failure('file_error', `${url} answered ${response.status()}.`, 'Check the url.');
    if (Number(response.headers()['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
    return bounded(await under(limits.signal, response.body()));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'file_error',
      `${url} could not be fetched: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
      'Check the url.',
    );
  }
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length > MOST_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = (): Failure =>
  new Failure('bad_input', `The file is larger than ${MOST_BYTES / 1_000_000} MB.`, 'Give a smaller one, or a path.');
