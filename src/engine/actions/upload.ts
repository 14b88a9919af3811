// Upload: files from paths, urls or base64 into a file field; what was fetched or decoded is removed with the tab.
import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { isOwnFolder } from '../../config/private-files.ts';
import { Failure } from '../../errors.ts';
import { checkUrl } from '../../policy/urls.ts';
import { phrase } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import { callerFile } from '../files.ts';
import { foldersIn, inTime, type Limits } from '../limits.ts';
import { fetchFollowing } from '../network/request/request.ts';
import { contentType } from '../network/request-row.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, fieldOf, resolveNamed } from './actionability.ts';
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

interface UploadFile {
  path: string;
  /** What the page is to see as its type, when that is not left to Chrome. */
  type?: string | undefined;
}

/** A file that is fetched or decoded may have this many bytes. */
const MOST_BYTES = 50_000_000;

export async function upload(tab: Tab, input: UploadInput, limits: Limits): Promise<UploadResult> {
  const files: UploadFile[] = [];
  for (const source of input.files) files.push(await fileOf(tab, source, limits));
  const done = await setFiles(tab, input, files, limits);
  return { ...done, files: files.map(({ path }) => basename(path)) };
}

/** Puts files into a file field, or into the chooser that a button opens. */
async function setFiles(tab: Tab, target: ElementTarget, files: UploadFile[], limits: Limits): Promise<ActionResult> {
  const paths = files.map(({ path }) => path);
  const element = await resolveNamed(tab, target, limits);
  const field = await fieldOf(element);
  if (field.kind === 'file' && !field.multiple && paths.length > 1) throw onlyOne(element, paths);
  const isTyped = files.some(({ type }) => type !== undefined);
  if (isTyped && field.kind !== 'file')
    throw new Failure(
      'bad_input',
      phrase`mime_type needs the file field itself, and ${element.label} only opens a chooser.`,
      'Give the file field, or leave mime_type out: the type then follows from the name.',
    );
  const { effects } = await act(
    tab,
    limits,
    async () => {
      if (field.kind !== 'file') return chooserFiles(element, paths);
      if (isTyped) return setTypedFiles(element, files);
      await element.send('DOM.setFileInputFiles', { files: paths, objectId: await element.object() });
    },
    { at: element.location },
  );
  return { element: element.shownLabel, ...effects };
}

/** Chrome tells the type of a file by its name alone: files with another type are made from it in the page. */
async function setTypedFiles(element: Element, files: UploadFile[]): Promise<void> {
  const objectId = await element.object();
  const call = (body: string, ...args: { objectId?: string; value?: unknown }[]) =>
    element.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function(...args) { return globalThis.tabwright.${body}(this, ...args); }`,
      arguments: args,
    });
  const { result } = await call('fileField');
  const source = { objectId: result.objectId ?? '' };
  await element.send('DOM.setFileInputFiles', { files: files.map(({ path }) => path), ...source });
  await call('takeTypedFiles', source, { value: files.map(({ type = '' }) => type) });
}

const onlyOne = (element: Element, paths: string[]): Failure =>
  new Failure('bad_input', phrase`${element.label} takes one file, not ${paths.length}.`, 'Give one file.');

/** How long, in ms, a chooser may take to open after the click. */
const CHOOSER_MS = 3_000;

/** The file field whose chooser the click opens, in whichever frame. */
interface Chooser {
  cdp: CdpSession;
  id: number | undefined;
  isMultiple: boolean;
}

async function chooserFiles(element: Element, paths: string[]): Promise<void> {
  const { tab, limits } = element;
  const chooser = await openedChooser(element);
  if (chooser?.id === undefined)
    throw new Failure(
      'bad_input',
      phrase`${element.label} is not a file field and opened no file chooser.`,
      'Give the file field itself.',
    );
  if (!chooser.isMultiple && paths.length > 1) throw onlyOne(element, paths);
  await tab.send(limits, chooser.cdp, 'DOM.setFileInputFiles', { files: paths, backendNodeId: chooser.id });
}

/** Clicks, and catches the chooser before it is shown; undefined when none is opened in time. */
async function openedChooser(element: Element): Promise<Chooser | undefined> {
  const { tab, limits } = element;
  const sessions = tab.frames.sessions().map(({ cdp }) => cdp);
  // A frame may have gone meanwhile.
  const intercept = (enabled: boolean) =>
    Promise.allSettled(sessions.map(cdp => cdp.send('Page.setInterceptFileChooserDialog', { enabled })));
  let unsubscribe: (() => void)[] = [];
  const opened = new Promise<Chooser>(resolve => {
    unsubscribe = sessions.map(cdp =>
      cdp.on('Page.fileChooserOpened', ({ backendNodeId: id, mode }) =>
        resolve({ cdp, id, isMultiple: mode === 'selectMultiple' }),
      ),
    );
  });
  try {
    await tab.race(limits, intercept(true));
    await clickOn(element);
    return await inTime(limits, CHOOSER_MS, bound => tab.race(bound, opened));
  } finally {
    for (const off of unsubscribe) off();
    void intercept(false);
  }
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
  // A folder that cannot be removed now is removed by a later sweep.
  tab.events.on('committed', () => void clean().catch(() => undefined));
  return folders;
}

const OLD_MS = 24 * 3_600_000;

/** Removes the folders of servers that were killed. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    if (!name.startsWith(SCRATCH) || !(await isOwnFolder(folder))) continue;
    const found = await stat(folder).catch(() => undefined); // another server may sweep as well
    if (found && Date.now() - found.mtimeMs > OLD_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function fileOf(tab: Tab, source: string | FileSource, limits: Limits): Promise<UploadFile> {
  const given = typeof source === 'string' ? { path: source } : source;
  const kinds = (['path', 'url', 'base64'] as const).filter(kind => given[kind] !== undefined);
  if (kinds.length !== 1)
    throw new Failure('bad_input', 'Each file needs exactly one of path, url and base64.', 'Give one of them.');
  const type = given.mime_type;
  if (given.path !== undefined) {
    const path = await callerFile(given.path, foldersIn(limits), tab.options);
    if (given.name === undefined) return { path, type };
    const renamed = join(await scratch(tab), nameOf(given));
    await copyFile(path, renamed);
    return { path: renamed, type };
  }
  const { bytes, type: answered } =
    given.url === undefined ? { bytes: decoded(given.base64 ?? ''), type: '' } : await fetched(tab, given.url, limits);
  const path = join(await scratch(tab), nameOf({ mime_type: answered, ...given }));
  await writeFile(path, bytes, { mode: 0o600 });
  return { path, type };
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
  return { bytes: bounded(answer.body), type: contentType(answer.headers) };
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length > MOST_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = (): Failure =>
  new Failure('bad_input', `The file is larger than ${MOST_BYTES / 1_000_000} MB.`, 'Give a smaller one, or a path.');
