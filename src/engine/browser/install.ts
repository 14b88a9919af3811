// Finds a browser that really starts, or installs one: the system's package for root, else a download of Chrome.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../../errors.ts';
import { type ProgramOptions, type ProgramResult, runProgram } from '../run-program.ts';
import { choiceFile, downloadFolder, downloads, findBrowser, type Machine, places, runnable } from './find-browser.ts';
import { type BrokenBrowser, probe, type WorkingBrowser, works } from './probe-browser.ts';
import { addCommand, browserCommand, readRelease, type System, systemOf } from './systems.ts';

/** The machine, with what decides how something can be installed there. */
export interface Host extends Machine {
  /** The text of /etc/os-release. */
  release: string;
  isRoot: boolean;
}

export interface InstallRequest {
  /** The only browser to look at. */
  executablePath?: string | undefined;
  /** Fonts and libraries too. */
  withDeps: boolean;
  /** Aborts with interruption(). */
  signal: AbortSignal;
}

export const interruption = (): Failure => new Failure('cancelled', 'The installation was interrupted.');

/** Gets the progress of an installation. */
export interface InstallListener {
  step(text: string): void;
  /** How far the step is, from 0 to 1 where that is known, and what it does now. */
  moved(text: string, fraction?: number): void;
  note(text: string): void;
}

const UPDATE_MS = 180_000;
const PACKAGE_MS = 900_000;
const DOWNLOAD_MS = 1_800_000;
/** A package manager is not killed in the middle of a write. */
const GRACE_MS = 5_000;

export const thisHost = (): Host => ({
  platform: process.platform,
  env: process.env,
  release: readRelease(),
  isRoot: process.getuid?.() === 0,
});

/** The first that starts, and those before it that do not. */
export async function findWorking(
  wanted: string | undefined,
  host: Machine,
  signal: AbortSignal,
): Promise<{ found?: WorkingBrowser; broken: BrokenBrowser[] }> {
  const broken: BrokenBrowser[] = [];
  const found = () => [...places(host), ...downloads(host)].filter(runnable);
  for (const path of wanted === undefined ? found() : [wanted]) {
    const tried = await probe(path, signal, host.platform);
    signal.throwIfAborted();
    if (works(tried)) return { found: tried, broken };
    broken.push(tried);
  }
  return { broken };
}

/** A browser that starts; a Failure that says what was tried and what else can be done. */
export async function installBrowser(
  request: InstallRequest,
  listener: InstallListener,
  host = thisHost(),
): Promise<WorkingBrowser> {
  const { executablePath: given, signal } = request;
  const installer = new Installer(request, listener, host);
  const first = await findWorking(given, host, signal);
  for (const { path, problem } of given === undefined ? first.broken : [])
    listener.note(`The browser at ${path} ${problem}.`);
  if (first.found && request.withDeps) await installer.addFonts();
  if (first.found) return first.found;
  if (given !== undefined) throw givenBroken(first.broken);
  const problems: string[] = [];
  for (const install of [() => installer.addPackage(), () => installer.download()]) {
    const problem = await install();
    signal.throwIfAborted();
    const { found } = problem === undefined ? await findWorking(undefined, host, signal) : {};
    if (found) return found;
    if (problem) problems.push(problem);
  }
  throw await notInstalled(problems, host, signal);
}

/** Keeps the choice for later starts, when a quick look would find another one, which is broken. */
export function remember(stateDir: string, { path }: WorkingBrowser, host: Machine = process): void {
  const isFound = findBrowser({}, host) === path;
  if (isFound) rmSync(choiceFile(stateDir), { force: true });
  else writeChoice(stateDir, path);
}

function writeChoice(stateDir: string, path: string): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    writeFileSync(choiceFile(stateDir), `${path}\n`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The browser at ${path} starts, but the choice could not be kept: ${why}.`;
    throw new Failure('file_error', message, `Give --executable-path ${path}, or another --state-dir.`, { cause });
  }
}

/** Fetched from the npm registry when it is needed; it fetches Chrome into the folder that it is started in. */
const DOWNLOADER = '@puppeteer/browsers@2';

/** Installs packages and downloads. Returns what went wrong; '' where that cannot be done, undefined when it went well. */
class Installer {
  /** Undefined where no package manager is known. */
  readonly #system: System | undefined;

  constructor(
    readonly request: InstallRequest,
    readonly listener: InstallListener,
    readonly host: Host,
  ) {
    this.#system = host.platform === 'linux' ? systemOf(host.release) : undefined;
  }

  async addPackage(): Promise<string | undefined> {
    const system = this.#system;
    if (!system?.browser || !this.host.isRoot) return '';
    return this.#add(system, this.request.withDeps ? `${system.browser} ${system.fonts}` : system.browser);
  }

  /** A browser that starts has its libraries; what may be missing are fonts. */
  async addFonts(): Promise<void> {
    const system = this.#system;
    const { listener } = this;
    if (!system) return listener.note('The fonts of this system are left as they are.');
    if (!this.host.isRoot)
      return listener.note(`Fonts are for root to install: ${addCommand(system, system.fonts, false)}`);
    const problem = await this.#add(system, system.fonts);
    if (problem) throw new Failure('file_error', `The browser starts, but ${problem}.`);
  }

  async #add(system: System, packages: string): Promise<string | undefined> {
    const { listener } = this;
    const env = { ...this.host.env, DEBIAN_FRONTEND: 'noninteractive' };
    const line = (text: string) => listener.moved(text);
    const run = (command: string, ms: number, status?: (text: string) => void) => {
      const [program = '', ...args] = command.split(' ');
      return this.#run(program, args, { ms, env, line, ...(status && { status }) });
    };
    if (system.update) {
      listener.step('Fetching the list of packages');
      // A list that could be fetched only in part may well be enough.
      await run(system.update, UPDATE_MS);
    }
    listener.step(`Installing ${packages}`);
    const ran = system.status
      ? await run(`${system.add} ${system.status} ${packages}`, PACKAGE_MS, text => aptProgress(text, listener))
      : await run(`${system.add} ${packages}`, PACKAGE_MS);
    if (ran.ok) return undefined;
    const why = /^(?:E|ERROR|error): .*/m.exec(ran.output)?.[0] ?? ran.problem;
    return `${system.add.split(' ', 1)[0]} could not install ${packages}: ${why}`;
  }

  async download(): Promise<string | undefined> {
    const { env, platform, isRoot } = this.host;
    const cwd = downloadFolder(this.host);
    if (cwd === undefined) return 'there is no home folder that Chrome could be downloaded to';
    mkdirSync(cwd, { recursive: true });
    this.listener.step('Downloading Chrome');
    const libraries = this.request.withDeps && isRoot && platform === 'linux' ? ['--install-deps'] : [];
    const args = ['--yes', DOWNLOADER, 'install', 'chrome@stable', ...libraries];
    // On Windows npx is a script, which only the shell runs.
    const [program, before] = platform === 'win32' ? ['cmd.exe', ['/d', '/c', 'npx']] : ['npx', []];
    const ran = await this.#run(program, [...before, ...args], { ms: DOWNLOAD_MS, env, cwd });
    if (ran.ok) return undefined;
    const why = /^\s*(?:npm error|(?:Error|ERROR):) (.*)/m.exec(ran.output)?.[1] ?? ran.problem;
    return `The download of Chrome failed: ${why}`;
  }

  #run(program: string, args: string[], options: ProgramOptions): Promise<ProgramResult> {
    return runProgram(program, args, { ...options, signal: this.request.signal, grace: GRACE_MS });
  }
}

/** "dlstatus:2:31.25:Retrieving file 3 of 9", then "pmstatus:chromium:64.1:Unpacking chromium". */
function aptProgress(text: string, listener: InstallListener): void {
  const [, kind, percent, step] = /^(dl|pm)status:[^:]*:([\d.]+):(.*)/.exec(text) ?? [];
  if (kind && percent && step) listener.moved(step, (Number(percent) / 100 + (kind === 'pm' ? 1 : 0)) / 2);
}

const givenBroken = ([broken]: BrokenBrowser[]): Failure =>
  new Failure(
    'browser_missing',
    `The browser at ${broken?.path} ${broken?.problem}.`,
    'Check --executable-path, or leave it out to find or install one.',
  );

/** Also names a browser that was downloaded and does not start. */
async function notInstalled(problems: string[], host: Host, signal: AbortSignal): Promise<Failure> {
  const { broken } = await findWorking(undefined, host, signal);
  const lacks = broken.some(({ problem }) => problem.includes('library'));
  const command = browserCommand(host.platform, host.release, host.isRoot);
  const advice = [
    lacks && `install the libraries: ${host.isRoot ? '' : 'sudo '}npx tabwright install --with-deps`,
    command && `install one yourself: ${command}`,
    'give the path of one: --executable-path',
  ].filter(Boolean);
  const why = [...problems, ...broken.map(({ path, problem }) => `The browser at ${path} ${problem}`)];
  return new Failure(
    'browser_missing',
    `No browser that starts could be installed. ${why.map(text => `${text}.`).join(' ')}`,
    `Either ${advice.join(', or ')}.`,
  );
}
