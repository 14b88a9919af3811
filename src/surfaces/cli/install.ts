// `tabwright install`: finds a browser that starts, or installs one.
import { isLaunched } from '../../config/options.ts';
import { installBrowser, interruption, remember } from '../../engine/browser/install.ts';
import { abortOnSignal, type Run } from './command.ts';
import { progress } from './output/progress.ts';
import { print } from './output/terminal.ts';

export const run: Run = async ({ options, flags }) => {
  if (!isLaunched(options)) {
    print(
      `Nothing to install: ${options.cdpEndpoint === undefined ? 'remote browsers are' : `the browser at ${options.cdpEndpoint} is`} used`,
    );
    return 0;
  }
  const shown = progress(process.stderr);
  const request = {
    executablePath: options.executablePath,
    withDeps: flags['--with-deps'] === true,
    signal: abortOnSignal(interruption),
  };
  const found = await installBrowser(request, shown).finally(() => shown.end());
  if (options.executablePath === undefined) remember(options.stateDir, found);
  print(`${found.version} at ${found.path}`);
  return 0;
};
