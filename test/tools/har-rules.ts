// The rules of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec), as far as other readers rely on them.

interface Pair {
  name: string;
  value: string;
}

interface Entry {
  request: { method: string; url: string; headers: Pair[]; queryString: Pair[]; postData?: { text: string } };
  response: { status: number; headers: Pair[]; cookies: Pair[]; content: { text?: string; encoding?: string } };
  _webSocketMessages?: { type: string; opcode: number; data: string }[];
}

export interface Har {
  log: { entries: Entry[] };
}

type Check = (value: unknown) => boolean;
type Shape = { [key: string]: Check | Shape | [Shape] };

const text: Check = value => typeof value === 'string';
const filled: Check = value => typeof value === 'string' && value !== '';
const number: Check = value => typeof value === 'number' && Number.isFinite(value);
const span: Check = value => number(value) && ((value as number) >= 0 || value === -1);
const positive: Check = value => number(value) && (value as number) >= 0;
const date: Check = value => text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value as string);
const maybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value);
const pair: Shape = { name: text, value: text };

const LOG: Shape = {
  version: value => value === '1.2',
  creator: { name: filled, version: filled },
  browser: { name: filled, version: filled },
  pages: [{ startedDateTime: date, id: filled, title: text, pageTimings: { onContentLoad: span, onLoad: span } }],
  entries: [
    {
      pageref: filled,
      startedDateTime: date,
      time: positive,
      request: {
        method: filled,
        url: value => URL.canParse(String(value)),
        httpVersion: filled,
        cookies: [pair],
        headers: [pair],
        queryString: [pair],
        headersSize: span,
        bodySize: span,
      },
      response: {
        status: positive,
        statusText: text,
        httpVersion: filled,
        cookies: [pair],
        headers: [pair],
        content: { size: positive, mimeType: filled, text: maybe(text), encoding: maybe(value => value === 'base64') },
        redirectURL: text,
        headersSize: span,
        bodySize: span,
      },
      cache: {},
      timings: {
        blocked: span,
        dns: span,
        connect: span,
        ssl: span,
        send: positive,
        wait: positive,
        receive: positive,
      },
      serverIPAddress: maybe(filled),
    },
  ],
};

/** Where the archive breaks the rules; empty when it keeps them. */
export function brokenRules(har: Har): string[] {
  const broken = check(har.log, LOG, 'log');
  const log = har.log as unknown as { pages: { id: string }[]; entries: Record<string, unknown>[] };
  const ids = log.pages.map(({ id }) => id);
  log.entries.forEach(({ pageref, time, timings }, at) => {
    if (!ids.includes(String(pageref))) broken.push(`entry ${at}: no page ${pageref}`);
    const { ssl: _, ...spans } = timings as Record<string, number>;
    const sum = Object.values(spans).reduce((total, one) => total + Math.max(0, one), 0);
    if (Math.abs(sum - Number(time)) > 0.01)
      broken.push(`entry ${at}: time ${time} is not the sum of its timings, ${sum}`);
  });
  return broken;
}

function check(value: unknown, shape: Shape, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${at} is no object`];
  return Object.entries(shape).flatMap(([key, rule]) => {
    const item = (value as Record<string, unknown>)[key];
    const where = `${at}.${key}`;
    if (typeof rule === 'function') return rule(item) ? [] : [`${where} is ${JSON.stringify(item)}`];
    if (!Array.isArray(rule)) return check(item, rule, where);
    if (!Array.isArray(item)) return [`${where} is no list`];
    return item.flatMap((one, index) => check(one, rule[0], `${where}[${index}]`));
  });
}
