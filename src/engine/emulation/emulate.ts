// The emulation tools: they change the settings of a tab and give the resulting ones.

import { CdpError } from '../../cdp/errors.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { calledTool, phrase } from '../../text.ts';
import type { Size } from '../geometry.ts';
import type { Limits } from '../limits.ts';
import { viewportOf } from '../snapshot/capture/capture.ts';
import type { Tab } from '../tab/tab.ts';
import { DEVICES, type DeviceName } from './devices.ts';
import { grantPosition, originOf, revokePosition, stateOf } from './permissions.ts';
import { type EmulationSettings, type Media, type Network, NORMAL, type Position, type Screen } from './settings.ts';
import { agentOf } from './user-agent.ts';

export interface ViewportInput {
  width: number;
  height: number;
  device_scale_factor: number;
  is_mobile: boolean;
  has_touch: boolean;
  is_landscape: boolean;
  /** In an attached browser, resize the window itself. */
  in_window?: boolean | undefined;
}

export interface CustomDevice {
  viewport?: Size | undefined;
  user_agent?: string | undefined;
  device_scale_factor?: number | undefined;
  is_mobile?: boolean | undefined;
  has_touch?: boolean | undefined;
}

/** The screen that a page sees. */
export interface ScreenResult extends ViewportInput {
  /** The name of the device whose user agent is emulated. */
  device?: string;
  user_agent?: string;
  /** The size of the page's layout, when it differs. */
  layout?: Size;
  /** The open page was loaded for the device before. */
  reload?: true;
}

export async function setViewport(tab: Tab, input: ViewportInput, limits: Limits): Promise<ScreenResult> {
  await tab.readable(limits);
  const { width, height, is_landscape } = input;
  if (input.in_window && tab.borrowed && (await resizedWindow(tab, { width, height }, limits)))
    return { ...input, ...(await viewportOf(tab, limits)) };
  const isTurned = is_landscape && height > width;
  const size = isTurned ? { width: height, height: width } : { width, height };
  const screen = { ...size, scale: input.device_scale_factor, mobile: input.is_mobile, landscape: is_landscape };
  return show(tab, { screen, touch: input.has_touch }, limits);
}

/** Resizes the window to the page size; false in a browser that cannot. */
async function resizedWindow(tab: Tab, size: Size, limits: Limits): Promise<boolean> {
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

/** A member that is left out is as on a desktop, or with `keep` as it is; the size stays as it is. */
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
  const size = viewport ?? shown ?? (await viewportOf(tab, limits));
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
  const layout = await viewportOf(tab, limits);
  const { device, agent: now, touch } = tab.emulation.settings;
  // An open page learns its new size, but not all about touch; and the site has sent what fits the old user agent.
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

export interface GeolocationInput {
  latitude?: number | undefined;
  longitude?: number | undefined;
  accuracy: number;
  clear: boolean;
  /** Also let sites read the position in an attached browser, which has permissions of its own. */
  grant?: boolean;
}

export interface Located {
  position?: Position;
  /** The site of the page, and whether it may read the position. */
  origin?: string;
  permission?: 'granted' | 'denied' | 'prompt';
}

/** Tabs whose later sites are granted the position too. */
const followed = new WeakSet<Tab>();

export async function setPosition(tab: Tab, input: GeolocationInput, limits: Limits): Promise<Located> {
  const { latitude, longitude, accuracy, clear } = input;
  if (clear) {
    await tab.emulation.change({ position: undefined }, limits);
    await tab.race(limits, revokePosition(tab));
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
  const isGranted = !tab.borrowed || input.grant === true;
  if (isGranted) {
    await tab.race(limits, grantPosition(tab, tab.url));
    grantLaterSites(tab);
  }
  if (origin === undefined) return { position };
  return { position, origin, permission: stateOf(tab, 'geolocation', origin) ?? (isGranted ? 'granted' : 'prompt') };
}

/** Grants the position to sites that the tab opens later: when the navigation begins, before they can ask. */
function grantLaterSites(tab: Tab): void {
  if (followed.has(tab)) return;
  followed.add(tab);
  const grant = (url: string) => {
    // The tab may end meanwhile.
    if (tab.emulation.settings.position) grantPosition(tab, url).catch(() => undefined);
  };
  tab.events.on('requested', grant);
  tab.events.on('committed', grant);
  tab.cleanups.push(() => revokePosition(tab));
}

export interface Emulated extends Media {
  timezone: string;
  locale: string;
  offline: boolean;
  cpu_throttle: number;
  network_throttle: Network;
}

export type EmulateInput = { [key in keyof Emulated]?: Emulated[key] | undefined } & {
  /** End all emulation of the tab first: screen, device and position too. */
  reset?: boolean;
};

/** Settings that are not given stay as they are. */
export async function emulate(tab: Tab, input: EmulateInput, limits: Limits): Promise<Emulated> {
  await tab.readable(limits);
  if (input.reset) {
    await tab.emulation.change(NORMAL, limits);
    await tab.race(limits, revokePosition(tab));
  }
  const now = tab.emulation.settings;
  const { color_scheme, reduced_motion, forced_colors, media } = input;
  await tab.emulation.change(
    {
      media: { ...now.media, ...defined({ color_scheme, reduced_motion, forced_colors, media }) },
      timezone: input.timezone === undefined ? now.timezone : timezoneOf(input.timezone),
      locale: input.locale === undefined ? now.locale : localeOf(input.locale),
      offline: input.offline ?? now.offline,
      network: networkOf(input, now.network),
      cpu: input.cpu_throttle ?? now.cpu,
    },
    limits,
  );
  const { media: current, timezone, locale, offline, network, cpu } = tab.emulation.settings;
  return {
    ...current,
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

/** Checked here: Chrome accepts unknown names and ignores them. */
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
