// Upload: files from paths, urls or base64 into a file field; what was fetched or decoded is removed with the tab.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Failure } from '../../errors.ts';
import { checkUrl } from '../../policy/urls.ts';
import { phrase } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import { readablePath } from '../files.ts';
import type { Limits } from '../limits.ts';
import { fetchFollowing, valuesOf } from '../network/request/request.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, type ElementTarget, fieldOf } from './actionability.ts';
import { clickOn } from './click.ts';
import { act } from './effects.ts';

interface FileSource {
  path?: string | undefined;
  url?: string | undefined;
  base64?: string | undefined;
  name?: string | undefined;
  mime_type?: string | undefined;
}

export interface UploadInput extends ElementTarget {
  files: (string | FileSource)[];
}

export interface UploadResult extends ActionResult {
  files: string[];
}

/** A file that is fetched or decoded may have this many bytes. */
const MOST_BYTES = 50_000_000;

export async function upload(tab: Tab, input: UploadInput, limits: Limits): Promise<UploadResult> {
  const paths: string[] = [];
  for (const source of input.files) paths.push(await pathOf(tab, source, limits));
  const done = await setFiles(tab, input, paths, limits);
  return { ...done, files: paths.map(path => basename(path)) };
}

/** Puts files, by their paths, into a file field; or into the chooser that a button opens. */
async function setFiles(tab: Tab, input: ElementTarget, paths: string[], limits: Limits): Promise<ActionResult> {
  const element = await resolve(tab, input.selector, input.frameId, limits);
  const field = await fieldOf(element, limits);
  if (field.kind === 'file' && !field.multiple && paths.length > 1) throw onlyOne(element, paths);
  const { effects } = await act(tab, limits, async () => {
    if (field.kind !== 'file') return chooserFiles(element, paths, limits);
    const objectId = await element.object(limits);
    await tab.send(limits, element.location.wire, 'DOM.setFileInputFiles', { files: paths, objectId });
  });
  return { element: element.label, ...effects };
}

const onlyOne = (element: Element, paths: string[]): Failure =>
  new Failure('bad_input', phrase`${element.label} takes one file, not ${paths.length}.`, 'Give one file.');

async function chooserFiles(element: Element, paths: string[], limits: Limits): Promise<void> {
  const { tab } = element;
  const chooser = tab.page.waitForEvent('filechooser', { timeout: 3_000 }).catch(() => undefined);
  await clickOn(element, { button: 'left', count: 1, modifiers: 0 }, false, limits);
  const opened = await tab.race(limits, chooser);
  if (!opened)
    throw new Failure(
      'bad_input',
      phrase`${element.label} is not a file field and opened no file chooser.`,
      'Give the file field itself.',
    );
  if (!opened.isMultiple() && paths.length > 1) throw onlyOne(element, paths);
  await tab.race(limits, opened.setFiles(paths));
}

const SCRATCH = 'tabwright-upload-';
/** The folders that were made for the files of a tab. */
const made = new WeakMap<Tab, string[]>();
let swept: Promise<void> | undefined;

/** A folder for one file that we made. A page may read it as late as it sends its form: it is kept until the page is left. */
async function scratch(tab: Tab): Promise<string> {
  swept ??= sweep(tmpdir());
  await swept;
  const folder = await mkdtemp(join(tmpdir(), SCRATCH));
  foldersOf(tab).push(folder);
  return folder;
}

function foldersOf(tab: Tab): string[] {
  const known = made.get(tab);
  if (known) return known;
  const folders: string[] = [];
  const clean = async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  };
  made.set(tab, folders);
  tab.cleanups.push(clean);
  // One that cannot be removed now is swept away another day.
  tab.events.on('committed', () => void clean().catch(() => undefined));
  return folders;
}

const OLD_MS = 24 * 3_600_000;

/** Removes the folders of servers that were killed. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(SCRATCH)) continue;
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => undefined); // another server may sweep as well
    if (found && Date.now() - found.mtimeMs > OLD_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function pathOf(tab: Tab, source: string | FileSource, limits: Limits): Promise<string> {
  const given = typeof source === 'string' ? { path: source } : source;
  const kinds = (['path', 'url', 'base64'] as const).filter(kind => given[kind] !== undefined);
  if (kinds.length !== 1)
    throw new Failure('bad_input', 'Each file needs exactly one of path, url and base64.', 'Give one of them.');
  if (given.path !== undefined) return readablePath(given.path, [process.cwd(), tab.options.outputDir]);
  const { bytes, type } =
    given.url === undefined ? { bytes: decoded(given.base64 ?? ''), type: '' } : await fetched(tab, given.url, limits);
  const path = join(await scratch(tab), nameOf({ mime_type: type, ...given }));
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}

/** A plain file name: what the caller gave, or the end of the url; never a path. */
function nameOf({ name, url, mime_type }: FileSource): string {
  const wanted = basename(
    (name ?? (url === undefined ? '' : pathOfUrl(url))).replaceAll('\\', '/').replaceAll('\0', ''),
  );
  const plain = wanted === '' || wanted === '.' || wanted === '..' ? 'file' : wanted.slice(0, 200);
  const ending = /^[^/]+\/([a-z0-9]+)/i.exec(mime_type ?? '')?.[1];
  return extname(plain) === '' && ending ? `${plain}.${ending}` : plain;
}

/** The url may be written as a person types it. */
function pathOfUrl(url: string): string {
  const { pathname } = new URL(checkUrl(url));
  return pathname.replace(/(?:%[0-9a-f]{2})+/gi, signs => Buffer.from(signs.replaceAll('%', ''), 'hex').toString());
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

/** Fetched with the session's cookies, as the page itself would; each redirect obeys the url rules. */
async function fetched(tab: Tab, given: string, limits: Limits): Promise<{ bytes: Buffer; type: string }> {
  limits.waiting();
  const { answer, url } = await fetchFollowing(tab, { url: given, method: 'GET', follow_redirects: true }, limits);
  if (answer.status < 200 || answer.status > 299)
    throw new Failure('file_error', `${url.href.slice(0, 200)} answered ${answer.status}.`, 'Check the url.');
  if (answer.cut) throw tooLarge();
  return { bytes: bounded(answer.body), type: valuesOf(answer, 'content-type')[0] ?? '' };
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length > MOST_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = (): Failure =>
  new Failure('bad_input', `The file is larger than ${MOST_BYTES / 1_000_000} MB.`, 'Give a smaller one, or a path.');
