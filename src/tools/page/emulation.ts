// Tools that let a page see another device, place, time or network.
import { z } from 'zod';
import { DEVICE_NAMES } from '../../engine/emulation/devices.ts';
import {
  type Emulated,
  emulate as emulateIn,
  type Located,
  type ScreenResult,
  setCustomDevice,
  setDevice,
  setPosition,
  setViewport,
} from '../../engine/emulation/emulate.ts';
import { PERMISSIONS, STATES, setPermissions } from '../../engine/emulation/permissions.ts';
import {
  COLOR_SCHEMES,
  FORCED_COLORS,
  MEDIA,
  MOTIONS,
  NETWORKS,
  type Network,
} from '../../engine/emulation/settings.ts';
import { advice, type Phrase, phrase, theTool } from '../../text.ts';
import { tabId } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

const side = z.int().min(1).max(10_000);
const scale = z.number().min(0.1).max(10);

function shownText({ width, height, device_scale_factor, layout, device, reload, ...is }: ScreenResult): string {
  const parts = [
    `${width}x${height}`,
    ...(device_scale_factor === 1 ? [] : [`scale ${device_scale_factor}`]),
    ...(is.is_mobile ? ['mobile'] : []),
    ...(is.has_touch ? ['touch'] : []),
    ...(is.is_landscape ? ['landscape'] : []),
    ...(device === undefined ? [] : [`user agent ${device === 'custom' ? is.user_agent : `of ${device}`}`]),
  ];
  const own = layout ? ` The page lays itself out at ${layout.width}x${layout.height}.` : '';
  const again = reload ? ' Reload the page: it loaded for another device.' : '';
  return `${parts.join(', ')}.${own}${again}`;
}

export const viewport = tool({
  name: 'viewport',
  group: 'emulation',
  summary: 'Set the size of the page and its screen.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    width: side,
    height: side,
    device_scale_factor: scale.default(1),
    is_mobile: z.boolean().default(false),
    has_touch: z.boolean().default(false),
    is_landscape: z.boolean().default(false),
    in_window: z.boolean().default(false).describe('Resize the window, in a browser that was attached to'),
    tabId,
  },
  run: (tab, input, limits) => setViewport(tab, input, limits),
  text: data => `Viewport: ${shownText(data)}`,
});

export const device = tool({
  name: 'device',
  group: 'emulation',
  summary: 'Emulate a device: size, user agent, touch.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    name: z.enum(DEVICE_NAMES).optional(),
    custom: z
      .strictObject({
        viewport: z.strictObject({ width: side, height: side }).optional(),
        user_agent: z
          .string()
          .max(1_000)
          .regex(/^[\x20-\x7e]*$/)
          .optional(),
        device_scale_factor: scale.optional(),
        is_mobile: z.boolean().optional(),
        has_touch: z.boolean().optional(),
      })
      .optional(),
    keep: z.boolean().default(false).describe('What custom leaves out stays as it is'),
    tabId,
  },
  oneOf: [['name', 'custom']],
  run: (tab, { name, custom, keep }, limits) =>
    name === undefined ? setCustomDevice(tab, custom ?? {}, keep, limits) : setDevice(tab, name, limits),
  text: (data, { name }) => `Device: ${name ?? 'custom'}, ${shownText(data)}`,
});

function locatedText({ position, origin, permission }: Located): string | Phrase {
  if (!position) return 'The position is no longer emulated.';
  const { latitude, longitude, accuracy } = position;
  const said = `Position: ${latitude}, ${longitude} (accuracy ${accuracy} m).`;
  if (permission === undefined || permission === 'granted') return `${said} Sites in this tab may read it.`;
  return phrase`${said} But the permission of ${origin ?? ''} is "${permission}"${advice(phrase`: grant geolocation with ${theTool('permissions')}`)}.`;
}

export const geolocation = tool({
  name: 'geolocation',
  group: 'emulation',
  summary: 'Set or clear the position that pages see.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    latitude: z.number().min(-90).max(90).optional(),
    longitude: z.number().min(-180).max(180).optional(),
    accuracy: z.number().min(0).max(1e8).default(100).describe('Metres'),
    clear: z.boolean().default(false),
    grant: z.boolean().default(false).describe('Sites may read it also in an attached browser'),
    tabId,
  },
  run: (tab, input, limits) => setPosition(tab, input, limits),
  text: locatedText,
});

export const permissions = tool({
  name: 'permissions',
  group: 'emulation',
  summary: 'Say what a site may do without asking.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    permissions: z
      .array(z.strictObject({ name: z.enum(PERMISSIONS), state: z.enum(STATES) }))
      .min(1)
      .max(20),
    origin: marked(z.string().min(1).max(2_000), 'page').optional().describe("Default: the page's"),
    tabId,
  },
  run: (tab, input, limits) => setPermissions(tab, input, limits),
  text: data => `${data.origin}: ${data.permissions.map(({ name, state }) => `${name} ${state}`).join(', ')}.`,
});

const NETWORK_NAMES = Object.keys(NETWORKS) as [Network, ...Network[]];

function emulatedText(now: Emulated): string {
  const parts = [
    ...(now.color_scheme === 'no-preference' ? [] : [`color scheme ${now.color_scheme}`]),
    ...(now.reduced_motion === 'reduce' ? ['reduced motion'] : []),
    ...(now.forced_colors === 'active' ? ['forced colors'] : []),
    ...(now.media === 'print' ? ['media print'] : []),
    ...(now.timezone === '' ? [] : [`timezone ${now.timezone}`]),
    ...(now.locale === '' ? [] : [`locale ${now.locale}`]),
    ...(now.offline ? ['offline'] : []),
    ...(['none', 'offline'].includes(now.network_throttle) ? [] : [`network ${now.network_throttle}`]),
    ...(now.cpu_throttle === 1 ? [] : [`CPU ${now.cpu_throttle}x slower`]),
  ];
  return parts.length === 0 ? 'Nothing is emulated.' : `Emulated: ${parts.join(', ')}.`;
}

export const emulate = tool({
  name: 'emulate',
  group: 'emulation',
  summary: 'Emulate preferences, place and network; "" or none ends one.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    color_scheme: z.enum(COLOR_SCHEMES).optional(),
    reduced_motion: z.enum(MOTIONS).optional(),
    forced_colors: z.enum(FORCED_COLORS).optional(),
    media: z.enum(MEDIA).optional(),
    timezone: z.string().max(100).optional(),
    locale: z.string().max(100).optional(),
    offline: z.boolean().optional().meta({ default: false }),
    cpu_throttle: z.number().min(1).max(100).optional().describe('Times slower'),
    network_throttle: z.enum(NETWORK_NAMES).optional(),
    tabId,
  },
  run: (tab, input, limits) => emulateIn(tab, input, limits),
  text: emulatedText,
});
