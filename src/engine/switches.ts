// The switches that a launched Chrome gets beside Playwright's own.

/** Keeps Chrome from calling out by itself; Playwright's own switches cover the rest. */
const QUIET = ['--disable-quic', '--no-default-browser-check', '--disable-domain-reliability'];

/** Chrome heeds only the last --disable-features, so ours repeats those that Playwright turns off. */
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

/** After a click, Chrome puts off what the page does next until a frame is drawn: half of the time of a click. */
const SLOW = ['DeferRendererTasksAfterInput'];

const DISABLE = '--disable-features=';

export function switches(given: readonly string[]): string[] {
  const theirs = given.filter(arg => arg.startsWith(DISABLE)).flatMap(arg => arg.slice(DISABLE.length).split(','));
  const rest = given.filter(arg => !arg.startsWith(DISABLE));
  return [...QUIET, `${DISABLE}${[...PLAYWRIGHTS_DISABLED, ...SLOW, ...theirs].join(',')}`, ...rest];
}
