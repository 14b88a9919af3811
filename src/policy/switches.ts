// Which Chrome switches a caller may give to the browser of a profile. Pure. The file of profiles itself may hold any switch: it is its owner's.
import { Failure, refusedBy } from '../errors.ts';

/** As every system reads it: Chrome would also take one dash, or a word without any as an address. */
const SWITCH = /^--([a-z0-9][a-z0-9-]*)(?:=([^\0\r\n]*))?$/;

const SET_BY_PROFILE = /^(?:user-data-dir|proxy-server|no-proxy-server|lang|accept-lang|headless|fingerprint)$/;

/** Chrome has more than a thousand switches, and new ones with each version: only these, none of which lifts a protection or names a file. */
const WITHOUT_VALUE = new Set(
  `start-maximized start-fullscreen kiosk incognito restore-last-session hide-scrollbars force-dark-mode mute-audio
  no-first-run no-default-browser-check no-pings metrics-recording-only use-mock-keychain hide-crash-restore-bubble
  disable-background-networking disable-background-timer-throttling disable-backgrounding-occluded-windows disable-breakpad
  disable-component-update disable-default-apps disable-dev-shm-usage disable-extensions disable-gpu disable-hang-monitor
  disable-infobars disable-notifications disable-renderer-backgrounding disable-search-engine-choice-screen
  disable-session-crashed-bubble disable-smooth-scrolling disable-sync disable-translate disable-webgl
  use-fake-device-for-media-stream`.split(/\s+/),
);

/** Features that callers may turn off. No feature may be turned on: many are unfinished. */
const FEATURES =
  'Translate|TranslateUI|MediaRouter|DialMediaRouteProvider|OptimizationHints|InterestFeedContentSuggestions|' +
  'AutofillServerCommunication|CalculateNativeWinOcclusion|PaintHolding|BackForwardCache|GlobalMediaControls|AcceptCHFrame';

const WITH_VALUE: Readonly<Record<string, RegExp>> = {
  'window-size': /^\d{1,5},\d{1,5}$/,
  'window-position': /^-?\d{1,5},-?\d{1,5}$/,
  'force-device-scale-factor': /^\d(?:\.\d+)?$/,
  'force-color-profile': /^[\w-]+$/,
  'user-agent': /./,
  'proxy-bypass-list': /./,
  'autoplay-policy': /^[\w-]+$/,
  'use-gl': /^(?:swiftshader|egl|angle|desktop|disabled)$/,
  'use-angle': /^(?:swiftshader|gl|gles|vulkan|metal|d3d\w+|default)$/,
  'force-webrtc-ip-handling-policy': /^[a-z_]+$/,
  'password-store': /^basic$/,
  'blink-settings': /^imagesEnabled=(?:true|false)$/,
  'disable-blink-features': /^AutomationControlled$/,
  'disable-features': new RegExp(`^(?:${FEATURES})(?:,(?:${FEATURES}))*$`),
};

const RULE = 'switches of profiles';
const HINT = 'Leave it out. Whoever runs the server may give a switch to all browsers with --chrome-arg.';

/** Throws for what is no switch, and for one that a caller may not give. */
export function checkSwitches(given: readonly string[]): void {
  for (const text of given) {
    const [, name, value] = SWITCH.exec(text) ?? [];
    if (name === undefined)
      throw new Failure('bad_input', `${quoted(text)} is no switch of Chrome.`, 'Write it as --name or --name=value.');
    const why = refusal(name, value);
    if (why !== undefined)
      throw refusedBy(RULE, `The switch --${name} is refused, because it ${why}: rule "${RULE}".`, HINT);
  }
}

function refusal(name: string, value: string | undefined): string | undefined {
  if (SET_BY_PROFILE.test(name)) return 'is set by the profile itself';
  const isKnown = WITHOUT_VALUE.has(name) || Object.hasOwn(WITH_VALUE, name);
  if (!isKnown) return 'is not one of those that callers may give (docs/profiles.md)';
  const isAllowed = value === undefined ? WITHOUT_VALUE.has(name) : WITH_VALUE[name]?.test(value);
  return isAllowed ? undefined : 'may not have that value (docs/profiles.md)';
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
