// User agents: the client hints and navigator.platform that fit a user agent, derived from its text.

export interface UserAgent {
  userAgent: string;
  /** navigator.platform. */
  platform: string;
  userAgentMetadata: {
    brands: Brand[];
    fullVersionList: Brand[];
    platform: string;
    platformVersion: string;
    architecture: string;
    bitness: string;
    model: string;
    mobile: boolean;
  };
}

interface Brand {
  brand: string;
  version: string;
}

interface System {
  /** Its groups: the version of the system, the model of the device. */
  match: RegExp;
  /** Its name in client hints. */
  name: string;
  platform: string;
}

/** The first that matches. */
const SYSTEMS: readonly System[] = [
  { match: /\(iPad;.*? OS (\d+(?:_\d+)*)/, name: 'iOS', platform: 'iPad' },
  { match: /\(iP(?:hone|od)[^;]*;.*? OS (\d+(?:_\d+)*)/, name: 'iOS', platform: 'iPhone' },
  {
    match: /Android (\d+(?:\.\d+)*)(?:; ([^;)]+?))?(?: Build\/[^;)]*)?[;)]/,
    name: 'Android',
    platform: 'Linux armv8l',
  },
  { match: /Windows NT (\d+(?:\.\d+)*)/, name: 'Windows', platform: 'Win32' },
  { match: /CrOS \S+ (\d+(?:\.\d+)*)/, name: 'Chrome OS', platform: 'Linux x86_64' },
  { match: /Mac OS X (\d+(?:[._]\d+)*)/, name: 'macOS', platform: 'MacIntel' },
  { match: /Linux/, name: 'Linux', platform: 'Linux x86_64' },
];

const UNKNOWN: System = { match: /^/, name: '', platform: '' };

/** Brands beside Chromium, by a regular expression for the user agent. */
const BRANDS: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\/(\d+)/, 'Microsoft Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/Chrome\/(\d+)/, 'Google Chrome'],
];

/** `chrome` is the full version of the browser that runs. */
export function agentOf(userAgent: string, chrome: string): UserAgent {
  const system = SYSTEMS.find(({ match }) => match.test(userAgent)) ?? UNKNOWN;
  const [, version = '', model = ''] = system.match.exec(userAgent) ?? [];
  const mobile = /\bMobi/.test(userAgent);
  const brands = brandsOf(userAgent);
  const isHere = (major: string) => major === chrome.split('.')[0];
  const fullVersionList = brands.map(item => ({
    ...item,
    version: isHere(item.version) ? chrome : `${item.version}.0.0.0`,
  }));
  const isHandheld = mobile || system.name === 'Android';
  return {
    userAgent,
    platform: system.platform,
    userAgentMetadata: {
      brands,
      fullVersionList,
      platform: system.name,
      platformVersion: version.replaceAll('_', '.'),
      architecture: isHandheld ? '' : 'x86',
      bitness: isHandheld ? '' : '64',
      model,
      mobile,
    },
  };
}

/** None for browsers that are not based on Chromium. */
function brandsOf(userAgent: string): Brand[] {
  const chromium = /Chrome\/(\d+)/.exec(userAgent)?.[1];
  if (chromium === undefined) return [];
  const own = BRANDS.find(([match]) => match.test(userAgent));
  return [
    { brand: 'Not:A-Brand', version: '8' },
    { brand: 'Chromium', version: chromium },
    ...(own ? [{ brand: own[1], version: own[0].exec(userAgent)?.[1] ?? chromium }] : []),
  ];
}
