// Where the data of a profile may be: below the allowed folders, and never what belongs to something else.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure, refusedBy } from '../../../errors.ts';
import { isInside } from '../../../policy/paths.ts';
import { folderPath } from '../../files.ts';

export interface Homes {
  /** The folder for profiles that name none. */
  own: string;
  /** Further folders below which profiles may be. */
  allowed: readonly string[];
  /** Of the user. */
  home: string;
}

/** Where browsers keep the data of the person who uses this machine: a name covers its variants, such as google-chrome-beta. */
const BROWSERS = [
  ...['google-chrome', 'chromium', 'microsoft-edge', 'BraveSoftware', 'vivaldi', 'opera'].map(
    name => `.config/${name}`,
  ),
  'snap/chromium',
  '.var/app',
  ...['Google', 'Chromium', 'Microsoft Edge', 'BraveSoftware', 'Vivaldi', 'Arc'].map(
    name => `Library/Application Support/${name}`,
  ),
  ...['Google', 'Chromium', 'Microsoft', 'BraveSoftware', 'Vivaldi'].map(name => `AppData/Local/${name}`),
];

/** A file that every folder has that Chrome has used. */
const CHROME_FILE = 'Local State';

/** The real path, which need not exist yet. */
export async function profileFolder(given: string, { own, allowed, home }: Homes): Promise<string> {
  const real = await folderPath(given, [own, ...allowed]);
  if (BROWSERS.some(name => meets(real, join(home, name))))
    throw refusedBy(
      "the person's own browser",
      `${JSON.stringify(given)} holds the data of a browser on this machine: rule "the person's own browser".`,
      'Use a folder of its own, or attach to that browser with --cdp-endpoint.',
    );
  const names: string[] = await readdir(real).catch(() => []); // it is not there yet
  if (names.length > 0 && !names.includes(CHROME_FILE))
    throw new Failure(
      'profile_taken',
      `${JSON.stringify(given)} holds other files.`,
      'Name a folder that is new or empty, or one that Chrome has used; or leave user_data_dir out.',
    );
  return real;
}

/** One folder is inside the other, or is a variant of it. */
const meets = (real: string, browser: string): boolean =>
  isInside(browser, [real]) ||
  isInside(real, [browser]) ||
  (isInside(real, [dirname(browser)]) && firstBelow(real, dirname(browser)).startsWith(`${basename(browser)}-`));

function firstBelow(real: string, folder: string): string {
  let at = real;
  while (dirname(at) !== folder && dirname(at) !== at) at = dirname(at);
  return basename(at);
}
