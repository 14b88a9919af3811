// A refusal by a url rule: the error inside the proxy, and the page that the browser gets instead of an answer.

export class RuleRefusal extends Error {
  constructor(
    readonly rule: string,
    /** The rule is about the address that a lookup gave, so that the url alone does not show it. */
    readonly byAddress = false,
  ) {
    super(`refused by rule "${rule}"`);
  }
}

const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
    .replace(/[^\x20-\x7e]/g, sign => `&#${sign.codePointAt(0)};`);

export const refusalPage = (rule: string): string =>
  `<!doctype html><title>Not allowed</title><p>URL not allowed: rule &quot;${escaped(rule)}&quot;.</p>\n`;

export const REFUSAL_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } as const;

/** The page as a whole HTTP response, for a connection that is closed after it. */
export function refusalResponse(rule: string): string {
  const page = refusalPage(rule);
  const headers = { ...REFUSAL_HEADERS, 'content-length': String(page.length), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 403 Forbidden\r\n${lines.join('')}\r\n${page}`;
}
