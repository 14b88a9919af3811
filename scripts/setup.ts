// Makes a fresh machine ready for the tests: a browser that starts, and the programs that judge the files we write.
import { spawnSync } from 'node:child_process';
import { findWorking, installBrowser, interruption, thisHost } from '../src/engine/browser/install.ts';
import { addCommand, readRelease, systemOf } from '../src/engine/browser/systems.ts';
import { Failure } from '../src/errors.ts';
import { progress } from '../src/surfaces/cli/output/progress.ts';
import { install } from '../test/widgets/install.ts';

/** Program → its package, under the same name in most systems. */
const JUDGES = { ffprobe: 'ffmpeg', pdftotext: 'poppler-utils' };

const isThere = (program: string): boolean => spawnSync(program, ['-version'], { stdio: 'ignore' }).error === undefined;

/** Root on a known system gets them installed, anybody else the command. */
function addJudges(isRoot: boolean): void {
  const missing = Object.entries(JUDGES).filter(([program]) => !isThere(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name).join(' ');
  const system = process.platform === 'linux' ? systemOf(readRelease()) : undefined;
  const command = system ? addCommand(system, packages, isRoot) : `your system's package manager, for ${packages}`;
  if (!system || !isRoot) throw new Failure('file_error', `The tests need ${packages}.`, `Install with ${command}`);
  console.log(`installing ${packages}`);
  for (const step of [system.update, `${system.add} ${packages}`].filter(step => step !== undefined)) {
    const { status, stdout, stderr } = spawnSync(step, { shell: true, encoding: 'utf8' });
    if (status !== 0) throw new Failure('file_error', `${step} failed: ${(stderr || stdout).trim().slice(-500)}`);
  }
}

/** Without a registry the rest can still be tested: the tests of test/widgets are skipped then. */
async function addWidgets(): Promise<void> {
  try {
    await install('small', text => console.log(text));
  } catch (error) {
    console.error(
      `The packages of test/widgets could not be installed, so its tests are skipped. ${String(error).slice(-500)}`,
    );
  }
}

const executablePath = process.env.TABWRIGHT_EXECUTABLE_PATH;
const host = thisHost();
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort(interruption()));

const told = progress(process.stderr);
try {
  const { found } = await findWorking(executablePath, host, ending.signal);
  const wish = { executablePath, withDeps: host.isRoot, signal: ending.signal };
  const { path } = found ?? (await installBrowser(wish, told, host));
  console.log(`browser: ${path}`);
  addJudges(host.isRoot);
  await addWidgets();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error([error.message, error.hint].filter(Boolean).join(' '));
  process.exitCode = 1;
} finally {
  told.end();
}
