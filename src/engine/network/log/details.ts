// One request of the page with all that is known of it: headers, bodies, redirects. Secrets are masked.

import { CdpError } from '../../../cdp/errors.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { redact } from '../../../policy/mask.ts';
import { phrase, toolName } from '../../../text.ts';
import type { Limits } from '../../limits.ts';
import type { Tab } from '../../tab/tab.ts';
import { isText, textOf } from '../body-text.ts';
import { contentType, type Header, maskHeaders, type RequestRow } from '../request-row.ts';
import { type LoggedRequest, shown } from './request-log.ts';

export interface RequestReport {
  row: RequestRow;
  /** How many requests have the same address. */
  same: number;
  requestHeaders: Header[];
  responseHeaders: Header[];
  requestBody?: string;
  responseBody?: string;
  /** The steps of a redirect, the latest first. */
  redirects: RequestRow[];
}

const LONGEST_BODY = 10_000;
const LONGEST_URL = 2_000;

export async function requestDetails(tab: Tab, url: string, limits: Limits): Promise<RequestReport> {
  const { rows, hops } = tab.requests.find(url);
  const [row] = rows;
  if (!row) throw unknown(tab, url);
  const { requestHeaders = [], responseHeaders = [], postData } = row.detail ?? {};
  const isLast = hops.at(-1) === row;
  const body = isLast ? await bodyOf(tab, row, limits) : undefined;
  return {
    row: shown(row, LONGEST_URL),
    same: rows.length,
    requestHeaders: maskHeaders(requestHeaders),
    responseHeaders: maskHeaders(responseHeaders),
    ...(postData !== undefined && { requestBody: cut(redact(postData)) }),
    ...defined({ responseBody: body }),
    redirects: hops
      .slice(0, -1)
      .toReversed()
      .map(hop => shown(hop, LONGEST_URL)),
  };
}

function unknown({ requests }: Tab, url: string): Failure {
  const { total } = requests.read({ sinceNavigation: true, most: 0, chars: 0 });
  const what =
    total === 0 ? 'The page has sent no requests' : `No request of the page has the url ${url.slice(0, 300)}`;
  return new Failure(
    'not_found',
    `Request not found: ${what}.`,
    phrase`See ${toolName('network_log')}, and give a url as it stands there.`,
  );
}

/** What was sent as an answer, as far as Chrome still has it. */
async function bodyOf(tab: Tab, row: LoggedRequest, limits: Limits): Promise<string | undefined> {
  if (row.status === 0 || row.status === 204 || row.error !== undefined || row.kind === 'websocket') return undefined;
  if (!row.done) return '<still loading>';
  const type = contentType(row.detail?.responseHeaders ?? []);
  try {
    const { body, base64Encoded } = await tab.send(limits, tab.main, 'Network.getResponseBody', { requestId: row.id });
    const bytes = Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
    if (bytes.length === 0) return undefined;
    if (!isText(type, bytes)) return `<${bytes.length} bytes of binary data>`;
    return cut(redact(base64Encoded ? textOf(type, bytes) : body));
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    return '<not kept: it was too large, or its page was left>';
  }
}

const cut = (text: string): string =>
  text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}… <${text.length} characters in all>` : text;
