// How each system installs a browser and fonts: its package manager, and the names of the packages there.
import { readFileSync } from 'node:fs';

export interface System {
  /** Fetches the list of packages, where that is a step of its own. */
  update?: string;
  /** Installs packages without questions. */
  add: string;
  /** Absent where the package is only a stub. */
  browser?: string;
  /** Letters of most languages, emoji, and Chinese, Japanese and Korean. */
  fonts: string;
  /** Written to a fourth stream, apt's progress: how far it is. */
  status?: string;
}

const APT = {
  update: 'apt-get update -q',
  add: 'apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=60',
  status: '-o APT::Status-Fd=3',
  fonts: 'fonts-liberation fonts-noto-color-emoji fonts-wqy-zenhei',
};

/** By the ID of the distribution, or of one that it is like. */
export const SYSTEMS: Readonly<Record<string, System>> = {
  debian: { ...APT, browser: 'chromium' },
  // Ubuntu's own package needs snap, which containers lack.
  ubuntu: APT,
  alpine: {
    add: 'apk add --no-cache',
    browser: 'chromium',
    fonts: 'font-liberation font-noto-emoji font-noto-cjk',
  },
  fedora: {
    add: 'dnf install -y',
    browser: 'chromium',
    fonts: 'liberation-fonts google-noto-color-emoji-fonts google-noto-sans-cjk-fonts',
  },
  arch: {
    add: 'pacman -S --noconfirm',
    browser: 'chromium',
    fonts: 'ttf-liberation noto-fonts-emoji noto-fonts-cjk',
  },
  suse: {
    add: 'zypper --non-interactive install',
    browser: 'chromium',
    fonts: 'liberation-fonts google-noto-coloremoji-fonts noto-sans-cjk-fonts',
  },
};

/** For people whose system has no row above. */
const OTHERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'brew install --cask google-chrome',
  win32: 'winget install Google.Chrome',
};

/** The text of /etc/os-release; '' where there is none. */
export function readRelease(file = '/etc/os-release'): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function systemOf(release: string): System | undefined {
  const field = (name: string) => new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(release)?.[1] ?? '';
  const known = [field('ID'), ...field('ID_LIKE').split(' ')].find(id => Object.hasOwn(SYSTEMS, id));
  return known === undefined ? undefined : SYSTEMS[known];
}

/** What a person types to install the packages. */
export function addCommand({ add }: System, packages: string, isRoot: boolean): string {
  const plain = add.replace(/ (?:-q|-o \S+|--no-install-recommends)(?= |$)/g, '');
  return `${isRoot ? '' : 'sudo '}${plain} ${packages}`;
}

/** What a person types to install a browser; undefined where no package is known. */
export function browserCommand(platform: NodeJS.Platform, release: string, isRoot: boolean): string | undefined {
  const system = platform === 'linux' ? systemOf(release) : undefined;
  return system?.browser === undefined ? OTHERS[platform] : addCommand(system, system.browser, isRoot);
}
