// Requests that Chrome sends for a page by itself, unseen by the guard over paths: turned off while paths are judged.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reports of errors and violations, logins and payments that the browser arranges with a site, downloads that outlive it. */
const FEATURES = '--disable-features=Reporting,NetworkErrorLogging,FedCm,WebPayments,BackgroundFetch';
const IN_PAGES = ['PaymentRequest', 'BackgroundFetch'];

const DISABLE_IN_PAGES = '--disable-blink-features=';

/** The switches, with ours added; of those that turn features of pages off, Chrome heeds only the last. */
export function quietSwitches(given: readonly string[]): string[] {
  const theirs = given.filter(arg => arg.startsWith(DISABLE_IN_PAGES)).map(arg => arg.slice(DISABLE_IN_PAGES.length));
  const rest = given.filter(arg => !arg.startsWith(DISABLE_IN_PAGES));
  return [...rest, FEATURES, `${DISABLE_IN_PAGES}${[...theirs, ...IN_PAGES].join(',')}`];
}

/** "No preloading", as a person would choose it in the settings. */
const NO_PRELOADING = 2;

/** Pages that sites ask to have loaded beforehand: no switch turns that off, only the settings of each profile in the folder. */
export async function stopPreloading(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []); // a folder that is not there yet
  const profiles = new Set(['Default', ...names.filter(name => /^Profile \d+$/.test(name))]);
  for (const name of profiles) await choose(join(folder, name));
}

async function choose(profile: string): Promise<void> {
  await mkdir(profile, { recursive: true, mode: 0o700 });
  const file = join(profile, 'Preferences');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '{}';
  });
  const settings = JSON.parse(text) as { net?: Record<string, unknown> };
  if (settings.net?.network_prediction_options === NO_PRELOADING) return;
  settings.net = { ...settings.net, network_prediction_options: NO_PRELOADING };
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
}
