// How the browser of a profile is started: its switches and its environment.
import { allSwitches } from '../switches.ts';

export interface ProfileStart {
  /** Its data. */
  folder: string;
  /** A language tag such as de-DE. */
  lang: string;
  headless: boolean;
  proxy?: string | undefined;
  timezone?: string | undefined;
  /** A switch of some builds of Chromium; others ignore it. */
  fingerprint?: string | undefined;
  args: readonly string[];
}

/** A person's extensions are part of a profile. */
const NOT_FOR_PROFILES = '--disable-extensions';

const HEADLESS = ['--headless=new', '--disable-gpu'];

/** The settings of the profile come last, where they win. A page is named because some start pages send requests. */
export function switchesOf(start: ProfileStart, sandbox: boolean): string[] {
  const { folder, lang, headless, proxy, fingerprint, args } = start;
  return [
    ...allSwitches(args, { headed: !headless, sandbox }).filter(arg => arg !== NOT_FOR_PROFILES),
    ...(headless ? HEADLESS : []),
    `--lang=${lang}`,
    `--accept-lang=${languages(lang)}`,
    ...(proxy === undefined ? [] : [`--proxy-server=${proxy}`]),
    ...(fingerprint === undefined ? [] : [`--fingerprint=${fingerprint}`]),
    `--user-data-dir=${folder}`,
    '--remote-debugging-pipe',
    'about:blank',
  ];
}

/** `de-DE` is also `de`. */
function languages(lang: string): string {
  const [base = lang] = lang.split('-');
  return base === lang ? lang : `${lang},${base}`;
}

/** The time zone, and on Linux the language too, is taken from there. What is meant for the server or for Node is not passed on. */
export function environmentOf({ lang, timezone }: ProfileStart, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(?:(?:TABWRIGHT|BROWSION)_|NODE_OPTIONS$)/.test(name));
  return {
    ...Object.fromEntries(kept),
    LANGUAGE: languages(lang).replaceAll('-', '_').replaceAll(',', ':'),
    ...(timezone !== undefined && { TZ: timezone }),
  };
}

/** Whether a window can be shown at all. */
export const hasDisplay = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean =>
  platform === 'win32' || platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
