// Secrets: masked in the arguments that the journal keeps, and redacted in text that comes from a page.

export const REDACTED = '[redacted]';

/** How much of the arguments one record keeps. */
const MOST_VALUES = 200;
const MOST_DEPTH = 6;
const LONGEST = 300;
/** Read further than kept, so that a secret that begins within is seen whole. */
const LOOKED_AT = 4_000;

/** In the journal it costs nothing to mask too much: any key that speaks of a secret. */
const SPEAKS_OF_SECRET =
  /passw|passphrase|pwd|secret|token|authorization|cookie|api[-_]?key|access[-_]?key|private[-_]?key|credential|bearer/i;

/** A copy for the journal: secrets masked, long and deep values cut. */
export function maskArgs(args: unknown, secretNames: readonly string[] = []): unknown {
  let left = MOST_VALUES;
  const copy = (value: unknown, depth: number): unknown => {
    if (left-- <= 0 || depth > MOST_DEPTH) return '…';
    if (typeof value === 'string') return shorten(value);
    if (Array.isArray(value)) return value.slice(0, left + 1).map(item => copy(item, depth + 1));
    if (typeof value === 'object' && value !== null) return copyObject(value, depth);
    return typeof value === 'bigint' ? String(value) : value;
  };
  const copyObject = (value: object, depth: number): object => {
    const entries = Object.entries(value).slice(0, left + 1);
    return Object.fromEntries(
      entries.map(([key, item]) => {
        const secret = secretNames.includes(key) || SPEAKS_OF_SECRET.test(key);
        return [key.slice(0, LONGEST), secret ? lengthOnly(item) : copy(item, depth + 1)];
      }),
    );
  };
  return copy(args, 0);
}

const lengthOnly = (value: unknown): unknown =>
  typeof value === 'string' ? `‹${value.length} chars›` : value === null || value === undefined ? value : '‹masked›';

const shorten = (text: string): string => {
  const seen = redact(text.slice(0, LOOKED_AT));
  return seen.length > LONGEST ? `${seen.slice(0, LONGEST)}… ‹${text.length} chars›` : seen;
};

/** The value of an HTTP header for others to read: what logs somebody in is masked, the names of cookies stay. */
export function maskHeader(name: string, value: string): string {
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, `=${REDACTED}`);
  if (/^set-cookie$/i.test(name)) return value.replace(/^([^=;\n]*)=[^;\n]*/gm, `$1=${REDACTED}`);
  return SPEAKS_OF_SECRET.test(name)
    ? value.replace(/^((?:basic|bearer|digest|negotiate|token) )?.*$/is, `$1${REDACTED}`)
    : value;
}

/** The last word of a key that holds a secret: `password`, `access_token`, `clientSecret`, `X-Api-Key`, `password2`. */
const KEY =
  '[\\w.-]{0,60}?(?:passw(?:or)?d|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|secret[-_]?key|private[-_]?key|authorization|credentials?|session[-_]?id|sessid)(?:[-_]?(?:confirm(?:ation)?|again|repeat|\\d+))?';

/** Words that stand for a value but are none. */
const NO_VALUE = /^(?:null|undefined|true|false|none|nil|\[redacted\]?)$/i;

const hasLetterAndDigit = (text: string): boolean => /[a-z]/i.test(text) && /\d/.test(text);

interface Rule {
  pattern: RegExp;
  put(whole: string, ...groups: string[]): string;
}

/** In this order: whole blocks first, then shapes that tell by themselves, then values told by their key. */
const RULES: readonly Rule[] = [
  {
    pattern: /-----BEGIN ([A-Z ]{0,40})PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g,
    put: () => REDACTED,
  },
  // JSON web tokens: two or three dotted parts, the first two of which are JSON objects.
  { pattern: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?/g, put: () => REDACTED },
  // Keys with the mark of who issued them: AWS, GitHub, GitLab, Slack, Google, npm, Stripe.
  {
    pattern:
      /(?<![\w-])(?:(?:AKIA|ASIA)[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abeprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,})(?![\w-])/g,
    put: () => REDACTED,
  },
  // sk-… is also how class names begin: only with a digit and a capital letter.
  {
    pattern: /(?<![\w-])sk-[\w-]{20,}/g,
    put: whole => (/\d/.test(whole) && /[A-Z]/.test(whole) ? REDACTED : whole),
  },
  {
    pattern: /\b(Bearer\s{1,5})([\w.~+/-]{12,}=*)/gi,
    put: (whole, word = '', token = '') => (hasLetterAndDigit(token) ? word + REDACTED : whole),
  },
  {
    pattern: /\b(Basic\s{1,5})([A-Za-z0-9+/]{6,}={0,2})/gi,
    put: (whole, word = '', token = '') => (isUserAndPassword(token) ? word + REDACTED : whole),
  },
  // Set-Cookie: name=value; Path=/ and Cookie: a=1; b=2, as header lines or in JSON.
  { pattern: /(\bset-cookie\W{1,6}[^\s=;"']{1,200}=)[^;\r\n"'\\]+/gi, put: (_, head = '') => head + REDACTED },
  {
    pattern: /((?<!set-)\bcookie"?:\s{0,5}"?)([^\s=;"']{1,200}=[^\r\n"'\\]*)/gi,
    put: (_, head = '', pairs = '') => head + pairs.replace(/=[^;]+/g, `=${REDACTED}`),
  },
  // https://user:password@host
  { pattern: /(:\/\/[^\s:@/?#"'<>]{0,100}:)[^\s@/?#"'<>\\]{1,200}(?=@)/g, put: (_, head = '') => head + REDACTED },
  // Fields of a form whose value stands in the markup.
  { pattern: /<(?:input|meta)\b[^<>]{0,4000}>/gi, put: maskTag },
  // "password": "…" and password = '…', also inside a JSON string.
  quoted('"'),
  quoted("'"),
  quoted('\\\\"'),
  // "password": 12345
  {
    pattern: new RegExp(`(["']${KEY}["']\\s{0,5}:\\s{0,5})\\d{4,}`, 'gi'),
    put: (_, head = '') => `${head}"${REDACTED}"`,
  },
  // password=… in a query, a form, a line of settings.
  {
    pattern: new RegExp(`((?<![\\w.-])${KEY}=)(?!=)([^\\s&;,"'<>()\\\\]+)`, 'gi'),
    put: (whole, head = '', value = '') => (NO_VALUE.test(value) ? whole : head + REDACTED),
  },
  // password: … and token = …: ordinary words often follow, so only what looks made up.
  {
    pattern: new RegExp(`((?<![\\w.-])${KEY}\\s{0,5}[:=]\\s{1,5})([\\w.~+/=!@#$%^*-]{6,})`, 'gi'),
    put: (whole, head = '', value = '') => (hasLetterAndDigit(value) ? head + REDACTED : whole),
  },
];

/** Text without the secrets in it. Ordinary text stays as it is. */
export const redact = (text: string): string =>
  RULES.reduce((left, { pattern, put }) => left.replace(pattern, put), text);

const SECRET_KEY = new RegExp(`^${KEY}$`, 'i');

/** The value of a stored item as it may be shown: nothing of it when its name says that it is a secret. */
export const shownValue = (name: string, value: string): string =>
  SECRET_KEY.test(name) && value !== '' && !NO_VALUE.test(value) ? REDACTED : redact(value);

/** A value in quotes after a key that may be quoted alike; `\"` stands inside a JSON string. */
function quoted(quote: string): Rule {
  const value = quote.length > 1 ? '[^"\\\\]+' : `(?:[^${quote}\\\\\\n]|\\\\.)+`;
  return {
    pattern: new RegExp(`((?<![\\w.-])${KEY}(?:${quote})?\\s{0,5}[:=]\\s{0,5}${quote})${value}(?=${quote})`, 'gi'),
    put: (_, head = '') => head + REDACTED,
  };
}

const SECRET_NAME = new RegExp(`\\b(?:name|id|type)\\s{0,5}=\\s{0,5}\\\\?["']?${KEY}["'\\s/>\\\\]`, 'i');

/** A tag inside a JSON string has `\"` for its quotes. */
function maskTag(tag: string): string {
  if (!SECRET_NAME.test(tag)) return tag;
  return tag.replace(
    /(\b(?:value|content)\s{0,5}=\s{0,5})(?:(\\?["']).+?\2|[^\s"'>\\]+)/gi,
    (_, head: string, quote = '') => head + quote + REDACTED + quote,
  );
}

/** What Basic authentication sends. */
const isUserAndPassword = (token: string): boolean =>
  /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(token, 'base64').toString('latin1'));
