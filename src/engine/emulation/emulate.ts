// What the emulation tools do: they change the settings of a tab and tell what holds now.
import { Failure } from '../../errors.ts';
import { calledTool, phrase } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { CdpError } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { DEVICES, type DeviceName } from './devices.ts';
import { lendPosition, originOf, stateOf, takeBackPosition } from './permissions.ts';
import type { EmulationSettings, Media, Network, Position, Screen } from './settings.ts';
import { agentOf } from './user-agent.ts';

export interface ViewportInput {
  width: number;
  height: number;
  device_scale_factor: number;
  is_mobile: boolean;
  has_touch: boolean;
  is_landscape: boolean;
  /** Of a browser that somebody else started, resize the window itself. */
  in_window?: boolean | undefined;
}

export interface CustomDevice {
  viewport?: { width: number; height: number } | undefined;
  user_agent?: string | undefined;
  device_scale_factor?: number | undefined;
  is_mobile?: boolean | undefined;
  has_touch?: boolean | undefined;
}

/** What a page is shown of the screen. */
export interface ScreenResult extends ViewportInput {
  /** The name of the device whose user agent is pretended. */
  device?: string;
  user_agent?: string;
  /** The size that the page has made of it, when that is another one. */
  layout?: { width: number; height: number };
  /** The open page has still got something of the device before. */
  reload?: true;
}

export async function setViewport(tab: Tab, input: ViewportInput, limits: Limits): Promise<ScreenResult> {
  await tab.readable(limits);
  const { width, height, is_landscape } = input;
  if (input.in_window && tab.borrowed && (await resizedWindow(tab, { width, height }, limits)))
    return { ...input, ...(await sizeOf(tab, limits)) };
  const isTurned = is_landscape && height > width;
  const size = isTurned ? { width: height, height: width } : { width, height };
  const screen = { ...size, scale: input.device_scale_factor, mobile: input.is_mobile, landscape: is_landscape };
  return show(tab, { screen, touch: input.has_touch }, limits);
}

/** So that the page fills it; false in a browser that cannot. */
async function resizedWindow(tab: Tab, size: { width: number; height: number }, limits: Limits): Promise<boolean> {
  try {
    const { windowId, bounds } = await tab.send(limits, tab.main, 'Browser.getWindowForTarget');
    if (bounds.windowState !== 'normal')
      await tab.send(limits, tab.main, 'Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
    await tab.send(limits, tab.main, 'Browser.setContentsSize', { windowId, ...size });
    return true;
  } catch (error) {
    if (error instanceof CdpError) return false;
    throw error;
  }
}

export async function setDevice(tab: Tab, name: DeviceName, limits: Limits): Promise<ScreenResult> {
  await tab.readable(limits);
  const { width, height, scale, mobile, touch, userAgent } = DEVICES[name];
  const screen = { width, height, scale, mobile, landscape: false };
  return show(tab, { screen, touch, ...(await agent(tab, name, userAgent, limits)) }, limits);
}

/** What is left out is as on a desktop, or stays as it is when that is asked for; the size stays as it is. */
export async function setCustomDevice(
  tab: Tab,
  custom: CustomDevice,
  keep: boolean,
  limits: Limits,
): Promise<ScreenResult> {
  await tab.readable(limits);
  const { screen: shown, touch } = tab.emulation.settings;
  const { scale, mobile } = (keep ? shown : undefined) ?? { scale: 1, mobile: false };
  const { viewport, user_agent = '', device_scale_factor = scale, is_mobile = mobile } = custom;
  const { has_touch = keep && touch } = custom;
  const size = viewport ?? shown ?? (await sizeOf(tab, limits));
  const screen: Screen = { ...size, scale: device_scale_factor, mobile: is_mobile, landscape: false };
  return show(tab, { screen, touch: has_touch, ...(await agent(tab, 'custom', user_agent, limits)) }, limits);
}

async function agent(tab: Tab, device: string, userAgent: string, limits: Limits) {
  if (userAgent === '') return { device: '', agent: undefined };
  const { product } = await tab.send(limits, tab.main, 'Browser.getVersion');
  const version = product.split('/')[1] ?? '';
  return { device, agent: agentOf(userAgent.replace('%s', version.split('.')[0] ?? ''), version) };
}

async function show(
  tab: Tab,
  part: Partial<EmulationSettings> & { screen: Screen },
  limits: Limits,
): Promise<ScreenResult> {
  const before = tab.emulation.settings;
  await tab.emulation.change(part, limits);
  const { width, height, scale, mobile, landscape } = part.screen;
  const layout = await sizeOf(tab, limits);
  const { device, agent: now, touch } = tab.emulation.settings;
  // Chrome tells a living page of a new size, but not all about touch; and the site has sent what fits the old user agent.
  const isKept = now === before.agent && touch === before.touch;
  return {
    width,
    height,
    device_scale_factor: scale,
    is_mobile: mobile,
    has_touch: touch,
    is_landscape: landscape,
    ...(now && { device, user_agent: now.userAgent }),
    ...((layout.width !== width || layout.height !== height) && { layout }),
    ...(!isKept && originOf(tab.url) !== undefined && { reload: true }),
  };
}

async function sizeOf(tab: Tab, limits: Limits): Promise<{ width: number; height: number }> {
  const { result } = await tab.send(limits, tab.main, 'Runtime.evaluate', {
    expression: '[innerWidth, innerHeight]',
    returnByValue: true,
  });
  const [width, height] = result.value as [number, number];
  return { width, height };
}

export interface GeolocationInput {
  latitude?: number | undefined;
  longitude?: number | undefined;
  accuracy: number;
  clear: boolean;
  /** Sites may read it also in a browser that has permissions of its own. */
  grant?: boolean;
}

export interface Located {
  position?: Position;
  /** The site of the page, and whether it may read the position. */
  origin?: string;
  permission?: 'granted' | 'denied' | 'prompt';
}

const followed = new WeakSet<Tab>();

export async function setPosition(tab: Tab, input: GeolocationInput, limits: Limits): Promise<Located> {
  const { latitude, longitude, accuracy, clear } = input;
  if (clear) {
    await tab.emulation.change({ position: undefined }, limits);
    await tab.race(limits, takeBackPosition(tab));
    return {};
  }
  if (latitude === undefined || longitude === undefined)
    throw new Failure(
      'bad_input',
      phrase`${calledTool('geolocation')} needs latitude and longitude.`,
      'Give both, or clear: true.',
    );
  const position = { latitude, longitude, accuracy };
  await tab.emulation.change({ position }, limits);
  const origin = originOf(tab.url);
  const isLent = !tab.borrowed || input.grant === true;
  if (isLent) {
    await tab.race(limits, lendPosition(tab, tab.url));
    lendLater(tab);
  }
  if (origin === undefined) return { position };
  return { position, origin, permission: stateOf(tab, 'geolocation', origin) ?? (isLent ? 'granted' : 'prompt') };
}

/** Sites that the tab opens later may read the position too: permitted when the navigation begins, before they can ask. */
function lendLater(tab: Tab): void {
  if (followed.has(tab)) return;
  followed.add(tab);
  const lend = (url: string) => {
    // The tab may end meanwhile.
    if (tab.emulation.settings.position) lendPosition(tab, url).catch(() => undefined);
  };
  tab.events.on('requested', lend);
  tab.events.on('committed', lend);
  tab.cleanups.push(() => takeBackPosition(tab));
}

export interface EmulateInput extends Partial<{ [key in keyof Media]: Media[key] | undefined }> {
  timezone?: string | undefined;
  locale?: string | undefined;
  offline?: boolean | undefined;
  cpu_throttle?: number | undefined;
  network_throttle?: Network | undefined;
}

export interface Emulated extends Media {
  timezone: string;
  locale: string;
  offline: boolean;
  cpu_throttle: number;
  network_throttle: Network;
}

/** What is not given stays as it is. */
export async function emulate(tab: Tab, input: EmulateInput, limits: Limits): Promise<Emulated> {
  await tab.readable(limits);
  const now = tab.emulation.settings;
  const { color_scheme, reduced_motion, forced_colors, media } = input;
  await tab.emulation.change(
    {
      media: {
        color_scheme: color_scheme ?? now.media.color_scheme,
        reduced_motion: reduced_motion ?? now.media.reduced_motion,
        forced_colors: forced_colors ?? now.media.forced_colors,
        media: media ?? now.media.media,
      },
      timezone: input.timezone === undefined ? now.timezone : timezoneOf(input.timezone),
      locale: input.locale === undefined ? now.locale : localeOf(input.locale),
      offline: input.offline ?? now.offline,
      network: networkOf(input, now.network),
      cpu: input.cpu_throttle ?? now.cpu,
    },
    limits,
  );
  const { media: seen, timezone, locale, offline, network, cpu } = tab.emulation.settings;
  return {
    ...seen,
    timezone,
    locale,
    offline: offline || network === 'offline',
    cpu_throttle: cpu,
    network_throttle: network,
  };
}

/** offline: false also ends a network_throttle that was offline. */
function networkOf({ network_throttle, offline }: EmulateInput, now: Network): Network {
  if (network_throttle !== undefined) return network_throttle;
  return offline === false && now === 'offline' ? 'none' : now;
}

/** Chrome takes names that it does not know, and changes nothing. */
function timezoneOf(name: string): string {
  if (name === '') return name;
  try {
    if (/^[a-z]/i.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new Failure(
    'bad_input',
    `There is no timezone ${JSON.stringify(name.slice(0, 100))}.`,
    'Give a name like "America/New_York", or "" for the own one of the browser.',
  );
}

function localeOf(name: string): string {
  if (name === '') return name;
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? '';
  } catch (cause) {
    throw new Failure(
      'bad_input',
      `${JSON.stringify(name.slice(0, 100))} is no locale.`,
      'Give one like "en-US", or "" for the own one of the browser.',
      { cause },
    );
  }
}
