// Finds a browser that really starts, or installs one: the system's package for root, else Playwright's own download.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from '../../errors.ts';
import { type ProgramOptions, type ProgramResult, runProgram } from '../run-program.ts';
import { choiceFile, findBrowser, type Machine, places, runnable } from './find-browser.ts';
import { playwright } from './playwright.ts';
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
  /** Somebody sits at a terminal, and can be asked for a password. */
  terminal?: boolean;
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
  for (const path of wanted === undefined ? candidates(host) : [wanted]) {
    const tried = await probe(path, signal, host.platform);
    signal.throwIfAborted();
    if (works(tried)) return { found: tried, broken };
    broken.push(tried);
  }
  return { broken };
}

/** Where Playwright keeps its own, whether it is there or not. */
export const downloadedBrowser = (): string => playwright().chromium.executablePath();

/** Playwright is loaded only when no other browser starts. */
function* candidates(host: Machine): Iterable<string> {
  yield* places(host).filter(runnable);
  const downloaded = downloadedBrowser();
  if (runnable(downloaded)) yield downloaded;
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
  const isFound = findBrowser({}, () => path, host) === path;
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

const DOWNLOADING = "Downloading Playwright's Chromium";

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
    const { withDeps, terminal: hasTerminal = false } = this.request;
    const { listener } = this;
    const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
    const args = [join(folder, 'cli.js'), 'install', ...(withDeps ? ['--with-deps'] : []), '--no-shell', 'chromium'];
    // Only the libraries need a password. The question must not be drawn over.
    const terminal = withDeps && hasTerminal && !this.host.isRoot;
    if (terminal) listener.note(DOWNLOADING);
    else listener.step(DOWNLOADING);
    const line = (text: string) => {
      const [, percent, size] = /\|\s*(\d+)% of (.*)/.exec(text) ?? [];
      if (percent) listener.moved(`of ${size}`, Number(percent) / 100);
    };
    const ran = await this.#run(process.execPath, args, { ms: DOWNLOAD_MS, env: this.host.env, line, terminal });
    if (ran.ok) return undefined;
    const why = /^\s*(?:Error|ERROR): (.*)/m.exec(ran.output)?.[1] ?? ran.problem;
    return `Playwright's download failed: ${why}`;
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
    lacks && 'install the libraries: npx tabwright install --with-deps',
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
