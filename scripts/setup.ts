// Makes a fresh machine ready for the tests: finds a browser that starts, or installs one.
import { installBrowser, interruption, look, thisHost } from '../src/engine/install.ts';
import { Failure } from '../src/errors.ts';
import { progress } from '../src/surfaces/cli/steps.ts';

const executablePath = process.env.TABWRIGHT_EXECUTABLE_PATH;
const host = thisHost();
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort(interruption()));

const told = progress(process.stderr);
try {
  const { found } = await look(executablePath, host, ending.signal);
  const wish = { executablePath, withDeps: host.isRoot, signal: ending.signal };
  const { path } = found ?? (await installBrowser(wish, told, host));
  console.log(`browser: ${path}`);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error([error.message, error.hint].join(' '));
  process.exitCode = 1;
} finally {
  told.end();
}
