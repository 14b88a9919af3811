// Which Chrome switches a caller may give to the browser of a profile. Pure. What the file of profiles says is its owner's word.
import { Failure, refusedBy } from '../errors.ts';

/** As every system reads it: Chrome would also take one dash, or a word without any as an address. */
const SWITCH = /^--([a-z0-9][a-z0-9-]*)(?:=([^\0\r\n]*))?$/;

interface Refused {
  name: RegExp;
  /** Follows "it". */
  why: string;
}

/** In this order; the first that fits tells why. */
const REFUSED: readonly Refused[] = [
  {
    name: /^(?:user-data-dir|proxy-server|no-proxy-server|lang|accept-lang|headless|fingerprint)$/,
    why: 'is set by the profile itself',
  },
  { name: /^remote-|debug/, why: 'opens the browser to other programs' },
  {
    name: /cmd-prefix|launch|subprocess|plugin|nacl|native-messaging|^utility-|^type$|^load-/,
    why: 'starts programs or loads code',
  },
  {
    name: /^(?!disable-extensions$).*extension|devtools-frontend|^app(?:-|$)|install|^import/,
    why: 'loads code or installs it',
  },
  { name: /sandbox|zygote|single-process|^in-process|^js-flags$|mojo|v8-/, why: 'weakens the sandbox' },
  {
    name: /site-per-process|isolat|web-security|file-access|testing|web-tests|test-features/,
    why: 'opens sites to each other',
  },
  {
    name: /certificate|insecure|^auth-|security|^unsafely-|-cert-|^origin-to-force/,
    why: 'lifts a protection of the network',
  },
  {
    name: /(?:^|-)(?:file|path|dir|directory|folder|location|output|key|dumps?|log-net-log|logging|screenshot|pdf|dom|trace-[a-z-]*|crash-[a-z-]*|record-[a-z-]*)s?$/,
    why: 'names a file or writes one',
  },
];

/** Features have names of their own, in lists. */
const LISTS = /^(?:enable|disable)-(?:blink-)?features$/;
const REFUSED_FEATURES = /mojo|isolat|siteperprocess|site-per-process|sandbox|codeintegrity/i;

const RULE = 'switches of profiles';
const HINT = 'Leave it out. Whoever runs the server may give a switch to all browsers with --chrome-arg.';

/** Throws for what is no switch, and for one that a caller may not give. */
export function checkSwitches(given: readonly string[]): void {
  for (const text of given) {
    const [, name, value = ''] = SWITCH.exec(text) ?? [];
    if (name === undefined)
      throw new Failure('bad_input', `${quoted(text)} is no switch of Chrome.`, 'Write it as --name or --name=value.');
    const why = refusal(name, value);
    if (why !== undefined)
      throw refusedBy(RULE, `The switch --${name} is refused, because it ${why}: rule "${RULE}".`, HINT);
  }
}

function refusal(name: string, value: string): string | undefined {
  if (LISTS.test(name))
    return REFUSED_FEATURES.test(value) ? 'turns a feature on or off that keeps sites apart' : undefined;
  return REFUSED.find(row => row.name.test(name))?.why;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
