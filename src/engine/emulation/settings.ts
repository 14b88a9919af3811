// The settings that a tab can emulate, as plain data, and the CDP commands that apply them.
import type { CdpCommands } from '../../cdp/protocol.ts';
import type { UserAgent } from './user-agent.ts';

export interface Screen {
  width: number;
  height: number;
  scale: number;
  mobile: boolean;
  /** The device is turned on its side. */
  landscape: boolean;
}

export interface Position {
  latitude: number;
  longitude: number;
  accuracy: number;
}

export const COLOR_SCHEMES = ['light', 'dark', 'no-preference'] as const;
export const MOTIONS = ['reduce', 'no-preference'] as const;
export const FORCED_COLORS = ['active', 'none'] as const;
export const MEDIA = ['screen', 'print'] as const;

export interface Media {
  color_scheme: (typeof COLOR_SCHEMES)[number];
  reduced_motion: (typeof MOTIONS)[number];
  forced_colors: (typeof FORCED_COLORS)[number];
  media: (typeof MEDIA)[number];
}

interface NetworkProfile {
  /** In ms; the throughput is in bytes per second. */
  latency: number;
  down: number;
  up: number;
  connection?: 'cellular3g' | 'cellular4g';
  /** How many times longer a navigation may take. */
  slowness: number;
}

/** The values of Chrome's own DevTools. */
export const NETWORKS = {
  none: { latency: 0, down: -1, up: -1, slowness: 1 },
  offline: { latency: 0, down: -1, up: -1, slowness: 1 },
  slow_3g: { latency: 2_000, down: 50_000, up: 50_000, connection: 'cellular3g', slowness: 10 },
  fast_3g: { latency: 562.5, down: 180_000, up: 84_375, connection: 'cellular3g', slowness: 5 },
  slow_4g: { latency: 562.5, down: 180_000, up: 84_375, connection: 'cellular4g', slowness: 2.5 },
  '4g': { latency: 165, down: 1_012_500, up: 168_750, connection: 'cellular4g', slowness: 1 },
} as const satisfies Record<string, NetworkProfile>;
export type Network = keyof typeof NETWORKS;

export interface EmulationSettings {
  screen: Screen | undefined;
  touch: boolean;
  /** The name of the device whose user agent it is. */
  device: string;
  agent: UserAgent | undefined;
  media: Media;
  timezone: string;
  locale: string;
  offline: boolean;
  network: Network;
  cpu: number;
  position: Position | undefined;
}

/** Nothing is emulated. */
export const NORMAL: EmulationSettings = {
  screen: undefined,
  touch: false,
  device: '',
  agent: undefined,
  media: { color_scheme: 'no-preference', reduced_motion: 'no-preference', forced_colors: 'none', media: 'screen' },
  timezone: '',
  locale: '',
  offline: false,
  network: 'none',
  cpu: 1,
  position: undefined,
};

export interface EmulationCommand {
  method: keyof CdpCommands;
  params: object;
  /** Out-of-process frames need the command too. */
  forFrames: boolean;
}

/** Chrome pictures a page as large as the session that asks for the picture has made it: these go to the session of the tab. */
export const isOfScreen = ({ method }: EmulationCommand): boolean => /DeviceMetricsOverride$/.test(method);

const command = <M extends keyof CdpCommands>(
  method: M,
  params: NonNullable<CdpCommands[M]['paramsType'][0]>,
  forFrames = true,
): EmulationCommand => ({ method, params, forFrames });

/** The commands that change one set of settings into another. */
export function changes(from: EmulationSettings, to: EmulationSettings): EmulationCommand[] {
  const before = new Set(commandsOf(from).map(item => JSON.stringify(item)));
  return commandsOf(to).filter(item => !before.has(JSON.stringify(item)));
}

function commandsOf(settings: EmulationSettings): EmulationCommand[] {
  const { screen, touch, agent, media, timezone, locale, offline, network, cpu, position } = settings;
  const { latency, down, up, connection }: NetworkProfile = NETWORKS[network];
  return [
    screen
      ? command('Emulation.setDeviceMetricsOverride', metrics(screen), false)
      : { method: 'Emulation.clearDeviceMetricsOverride', params: {}, forFrames: false },
    command('Emulation.setTouchEmulationEnabled', { enabled: touch, ...(touch && { maxTouchPoints: 5 }) }),
    command('Emulation.setUserAgentOverride', { userAgent: '', ...agent, acceptLanguage: languages(locale) }),
    command('Emulation.setEmulatedMedia', mediaOf(media)),
    command('Emulation.setLocaleOverride', { locale }),
    command('Emulation.setTimezoneOverride', { timezoneId: timezone }),
    command('Network.emulateNetworkConditions', {
      offline: offline || network === 'offline',
      latency,
      downloadThroughput: down,
      uploadThroughput: up,
      ...(connection && { connectionType: connection }),
    }),
    command('Emulation.setCPUThrottlingRate', { rate: cpu }),
    position
      ? command('Emulation.setGeolocationOverride', position, false)
      : { method: 'Emulation.clearGeolocationOverride', params: {}, forFrames: false },
  ];
}

function mediaOf({ color_scheme, reduced_motion, forced_colors, media }: Media) {
  const features = {
    // No page can see "no preference" for colours: it sees what the system prefers.
    'prefers-color-scheme': color_scheme === 'no-preference' ? '' : color_scheme,
    'prefers-reduced-motion': reduced_motion,
    'forced-colors': forced_colors,
  };
  return { media, features: Object.entries(features).map(([name, value]) => ({ name, value })) };
}

function metrics({ width, height, scale, mobile, landscape }: Screen) {
  const isTurned = landscape || (mobile && width > height);
  return {
    width,
    height,
    screenWidth: width,
    screenHeight: height,
    deviceScaleFactor: scale,
    mobile,
    screenOrientation: {
      type: isTurned || !mobile ? ('landscapePrimary' as const) : ('portraitPrimary' as const),
      angle: isTurned ? 90 : 0,
    },
  };
}

/** As browsers send it: `de-AT,de`. */
function languages(locale: string): string {
  const [language = ''] = locale.split('-');
  return locale === language ? locale : `${locale},${language}`;
}
