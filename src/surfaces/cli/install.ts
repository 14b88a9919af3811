// `tabwright install`: finds a browser that starts, or installs one.
import { installBrowser, interruption, remember } from '../../engine/browser/install.ts';
import { type Run, signalled } from './command.ts';
import { progress } from './output/progress.ts';

export const run: Run = async ({ options, flags }) => {
  if (options.cdpEndpoint !== undefined)
    return said(`Nothing to install: the browser at ${options.cdpEndpoint} is used`);
  const ending = new AbortController();
  signalled().then(() => ending.abort(interruption()));
  const told = progress(process.stderr);
  const wish = {
    executablePath: options.executablePath,
    withDeps: flags['--with-deps'] === true,
    terminal: process.stdin.isTTY && process.stderr.isTTY,
    signal: ending.signal,
  };
  const found = await installBrowser(wish, told).finally(() => told.end());
  if (options.executablePath === undefined) remember(options.stateDir, found);
  return said(`${found.version} at ${found.path}`);
};

function said(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
