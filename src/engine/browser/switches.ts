// The switches that a launched Chrome gets.

/** Those that keep a browser quiet and predictable under automation. A test compares them with what Playwright starts its browsers with. */
const PLAYWRIGHTS = [
  '--disable-field-trial-config',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-back-forward-cache',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-edgeupdater',
  '--disable-extensions',
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
  '--allow-pre-commit-input',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--disable-updater-scheduler',
  '--force-color-profile=srgb',
  '--metrics-recording-only',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
  '--no-service-autorun',
  '--disable-search-engine-choice-screen',
  '--unsafely-disable-devtools-self-xss-warnings',
  '--enable-unsafe-swiftshader',
  '--edge-skip-compat-layer-relaunch',
  '--disable-stack-profiler',
  '--disable-infobars',
  '--disable-sync',
  '--do-not-de-elevate',
];

/** For a browser without a window. */
const HEADLESS = [
  '--headless',
  '--hide-scrollbars',
  '--mute-audio',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
];

/** Only the last --disable-features counts, so they are one list. A test compares it with Playwright's. */
export const PLAYWRIGHTS_DISABLED = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** Keeps Chrome from calling out by itself; the switches above cover the rest. */
const QUIET = ['--disable-quic', '--disable-domain-reliability'];

/** A swipe of an agent is for the page; as a gesture of the browser it would go back or forward in the history. */
const GESTURES = ['OverscrollHistoryNavigation'];

const SLOW = [
  // After a click, Chrome puts off what the page does next until a frame is drawn: half of the time of a click.
  'DeferRendererTasksAfterInput',
  // For each window, Chrome loads two pages that the address bar may show: more than half of the work of a new session.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

const DISABLE = '--disable-features=';

/** What is added to these switches, the user's own last. */
export function switches(given: readonly string[]): string[] {
  const theirs = given.filter(arg => arg.startsWith(DISABLE)).flatMap(arg => arg.slice(DISABLE.length).split(','));
  const rest = given.filter(arg => !arg.startsWith(DISABLE));
  return [...QUIET, `${DISABLE}${[...PLAYWRIGHTS_DISABLED, ...GESTURES, ...SLOW, ...theirs].join(',')}`, ...rest];
}

/** All switches of a Chrome that is launched. */
export function allSwitches(given: readonly string[], how: { headed: boolean; sandbox: boolean }): string[] {
  return [
    ...PLAYWRIGHTS,
    ...(how.headed ? [] : HEADLESS),
    ...(how.sandbox ? [] : ['--no-sandbox']),
    ...switches(given),
  ];
}
