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
import { about, number, off, rare, side, tabId, text } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

const scale = number(0.1, 10);

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
  summary: 'Set the size of the page and its screen.',
  example: ['1280', '720'],
  effect: 'write',
  input: {
    width: about('In CSS pixels', side),
    height: about('In CSS pixels', side),
    device_scale_factor: about('Pixels of the screen for each CSS pixel', scale.default(1)),
    is_mobile: about('Lay the page out as on a phone', off),
    has_touch: about('The screen can be touched', off),
    is_landscape: about('The screen lies on its side', off),
    in_window: rare('Resize the window, in a browser that was attached to', off),
    tabId,
  },
  run: (tab, input, limits) => setViewport(tab, input, limits),
  text: data => `Viewport: ${shownText(data)}`,
});

export const device = tool({
  summary: 'Emulate a device: size, user agent, touch.',
  example: ['iPhone 14'],
  effect: 'write',
  input: {
    name: about('A device by its name', z.enum(DEVICE_NAMES).optional()),
    custom: z
      .strictObject({
        viewport: z.strictObject({ width: side, height: side }).optional(),
        user_agent: text(1_000)
          .regex(/^[\x20-\x7e]*$/)
          .optional(),
        device_scale_factor: scale.optional(),
        is_mobile: z.boolean().optional(),
        has_touch: z.boolean().optional(),
      })
      .optional()
      .meta({ docs: 'A device of your own' }),
    keep: rare('What custom leaves out stays as it is', off),
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
  summary: 'Set or clear the position that pages see.',
  effect: 'write',
  input: {
    latitude: about('Degrees north', number(-90, 90).optional()),
    longitude: about('Degrees east', number(-180, 180).optional()),
    accuracy: number(0, 1e8).default(100).meta({ docs: 'Metres' }),
    clear: about('End the emulation', off),
    grant: rare('Sites may read it also in an attached browser', off),
    tabId,
  },
  run: (tab, input, limits) => setPosition(tab, input, limits),
  text: locatedText,
});

export const permissions = tool({
  summary: 'Say what a site may do without asking.',
  example: ['[{"name":"camera","state":"granted"}]'],
  effect: 'write',
  input: {
    permissions: about(
      'What the site may or may not do',
      z
        .array(z.strictObject({ name: z.enum(PERMISSIONS), state: z.enum(STATES) }))
        .min(1)
        .max(20),
    ),
    origin: about('Which site; that of the page if left out', marked(z.string().min(1).max(2_000), 'page').optional()),
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
  summary: 'Emulate preferences, place and network; "" or none ends one.',
  effect: 'write',
  input: {
    color_scheme: about('prefers-color-scheme', z.enum(COLOR_SCHEMES).optional()),
    reduced_motion: about('prefers-reduced-motion', z.enum(MOTIONS).optional()),
    forced_colors: about('forced-colors, as in a high contrast mode', z.enum(FORCED_COLORS).optional()),
    media: about('The CSS media type', z.enum(MEDIA).optional()),
    timezone: about('Such as Europe/Paris', text(100).optional()),
    locale: about('Such as fr-FR', text(100).optional()),
    offline: z.boolean().optional().meta({ default: false, docs: 'Without a network' }),
    cpu_throttle: about('How many times slower scripts run', number(1, 100).optional(), 'Times slower'),
    network_throttle: about('A slower network', z.enum(NETWORK_NAMES).optional()),
    reset: rare('End all emulation of the tab first: screen, device and position too', off),
    tabId,
  },
  run: (tab, input, limits) => emulateIn(tab, input, limits),
  text: emulatedText,
});
