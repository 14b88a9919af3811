// What stands in the place of a page that a rule refuses.

const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
    .replace(/[^\x20-\x7e]/g, sign => `&#${sign.codePointAt(0)};`);

export const refusalPage = (rule: string): string =>
  `<!doctype html><title>Not allowed</title><p>URL not allowed: rule &quot;${escaped(rule)}&quot;.</p>\n`;

export const REFUSAL_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } as const;

/** The same as a whole answer, for a connection that is closed behind it. */
export function refusalHead(rule: string): string {
  const page = refusalPage(rule);
  const headers = { ...REFUSAL_HEADERS, 'content-length': String(page.length), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 403 Forbidden\r\n${lines.join('')}\r\n${page}`;
}
