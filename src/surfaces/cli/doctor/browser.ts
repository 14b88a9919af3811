// Checks of the browser: that it is there and starts, and that its sandbox can work.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLaunched } from '../../../config/options.ts';
import { findBrowser } from '../../../engine/browser/find-browser.ts';
import { probe, works } from '../../../engine/browser/probe-browser.ts';
import { shownAddress } from '../../../engine/browser/remote/provider.ts';
import { runProgram } from '../../../engine/run-program.ts';
import { Failure } from '../../../errors.ts';
import { type Check, type DoctorInput, type Finding, fine, problem, warning } from './check.ts';

const INSTALL = 'npx tabwright install';
const ANOTHER = `give another --executable-path, or leave it out and run: ${INSTALL}`;

/** The one that a call would start, so that the answer is true for calls. */
function pathOf({ options, host }: DoctorInput): string | undefined {
  try {
    return findBrowser(options, host);
  } catch (error) {
    if (error instanceof Failure) return options.executablePath;
    throw error;
  }
}

export const browser: Check = async (machine, signal) => {
  const { cdpEndpoint, browsers, executablePath: given } = machine.options;
  if (cdpEndpoint !== undefined) return attached(cdpEndpoint, signal);
  if (browsers.length > 0) return fine(`${browsers.length} remote, at ${browsers.map(shownAddress).join(', ')}`);
  const path = pathOf(machine);
  if (path === undefined) return problem('no Chrome or Chromium was found', INSTALL);
  const tried = await probe(path, signal, machine.host.platform);
  if (works(tried)) return fine(`${tried.version} at ${path}`);
  const withDeps = tried.problem.includes('library') ? ' --with-deps' : '';
  return problem(`${path} ${tried.problem}`, given === undefined ? `${INSTALL}${withDeps}` : ANOTHER);
};

async function attached(endpoint: string, signal: AbortSignal): Promise<Finding> {
  if (!endpoint.startsWith('http')) return fine(`attaches to ${endpoint}`);
  try {
    const answer = await fetch(new URL('/json/version', endpoint), { signal });
    const { Browser: version } = (await answer.json()) as { Browser?: string };
    if (version !== undefined) return fine(`${version}, running at ${endpoint}`);
  } catch (error) {
    const why = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    return problem(`nothing answers at ${endpoint} (${why})`, 'start it with --remote-debugging-port=9222');
  }
  return problem(`what answers at ${endpoint} is no browser`, 'check --cdp-endpoint');
}

/** Settings of the kernel that forbid what the sandbox is made of, with what allows it. */
const FORBIDDING = [
  { file: 'kernel/unprivileged_userns_clone', value: '0', mend: 'sudo sysctl kernel.unprivileged_userns_clone=1' },
  { file: 'user/max_user_namespaces', value: '0', mend: 'sudo sysctl user.max_user_namespaces=15000' },
  {
    file: 'kernel/apparmor_restrict_unprivileged_userns',
    value: '1',
    mend: 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  },
];

const IN_CONTAINER = 'give --no-sandbox, or allow user namespaces (Docker: a seccomp profile that does)';

export const sandbox: Check = async (machine, signal) => {
  const { options, host, proc } = machine;
  if (!isLaunched(options)) return fine('that of the browser that is used');
  if (options.noSandbox) return warning('off, by --no-sandbox', 'leave --no-sandbox out');
  if (host.isRoot) return warning('off: root cannot use it', 'run Tabwright as another user');
  if (host.platform !== 'linux') return fine('on');
  if (hasOwnHelper(pathOf(machine))) return fine('on, by the helper of the browser');
  const forbids = FORBIDDING.find(({ file, value }) => kernelSays(proc, file) === value);
  const ran = await runProgram('unshare', ['--user', '--map-root-user', 'true'], {
    ms: 5_000,
    signal,
    env: host.env,
  });
  if (ran.ok || (ran.startError && !forbids)) return fine('on, by user namespaces');
  return problem(
    'cannot work: user namespaces are not allowed here',
    forbids ? `${forbids.mend}, or give --no-sandbox` : IN_CONTAINER,
  );
};

/** A program that belongs to root, runs as root and lies beside the browser makes the sandbox without namespaces. */
function hasOwnHelper(path: string | undefined): boolean {
  if (path === undefined) return false;
  const folders = [dirname(path), '/usr/lib/chromium', '/usr/lib/chromium-browser', '/opt/google/chrome'];
  return folders
    .map(folder => statSync(join(folder, 'chrome-sandbox'), { throwIfNoEntry: false }))
    .some(file => file !== undefined && file.uid === 0 && (file.mode & 0o4001) === 0o4001);
}

function kernelSays(proc: string, file: string): string | undefined {
  const path = join(proc, 'sys', file);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}
