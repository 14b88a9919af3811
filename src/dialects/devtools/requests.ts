// Requests, a line each, in parts of a list; and one of them with all that is known of it.

import type { RequestReport } from '../../engine/network/log/details.ts';
import type { RequestLog } from '../../engine/network/log/request-log.ts';
import type { RequestRow } from '../../engine/network/request-row.ts';
import type { Args } from '../dialect.ts';

type Line = Pick<RequestRow, 'method' | 'url' | 'status' | 'error' | 'pending'>;

/** Not changed since the last time is no failure. */
const isGood = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

function statusOf({ status, error, pending }: Line): string {
  if (error !== undefined) return `[failed - ${error}]`;
  if (pending) return '[pending]';
  return `[${isGood(status) ? 'success' : 'failed'} - ${status}]`;
}

const lineOf = (row: Line): string => `${row.url} ${row.method} ${statusOf(row)}`;

export function requestList(facts: Args): string {
  const { rows = [], total = 0, dropped = 0, offset = 0 } = facts as Partial<RequestLog>;
  if (total === 0) return '## Network requests\nNo requests found.';
  const { offset: asked = 0, max_requests: size = total } = Object(facts.input);
  const [at, parts] = [Math.floor(offset / size), Math.max(1, Math.ceil(total / size))];
  return [
    '## Network requests',
    ...(asked > offset ? ['Invalid page number provided. Showing first page.'] : []),
    `Showing ${offset + 1}-${offset + rows.length} of ${total} (Page ${at + 1} of ${parts}).`,
    ...(at + 1 < parts ? [`Next page: ${at + 1}`] : []),
    ...(at > 0 ? [`Previous page: ${at - 1}`] : []),
    ...(rows.length < Math.min(size, total - offset) ? ['The rest has no room here: give a smaller pageSize.'] : []),
    ...(dropped > 0 ? [`${dropped} older requests are no longer kept.`] : []),
    ...rows.map(lineOf),
  ].join('\n');
}

export function requestLines(facts: Args): string {
  const { details } = facts as { details?: RequestReport };
  if (!details) return '';
  const { row, same, requestHeaders, responseHeaders, requestBody, responseBody, redirects } = details;
  return [
    `## Request ${row.url}`,
    ...(same > 1 ? [`${same} requests have this url; this is the first of them.`] : []),
    `Status:  ${statusOf(row)}`,
    ...section('Request Headers', requestHeaders.map(header)),
    ...section('Request Body', requestBody),
    ...section('Response Headers', responseHeaders.map(header)),
    ...section('Response Body', responseBody),
    ...section('Request failed with', row.error),
    ...section(
      'Redirect chain',
      redirects.map((hop, at) => `${'  '.repeat(at)}${lineOf(hop)}`),
    ),
  ].join('\n');
}

const header = ({ name, value }: { name: string; value: string }): string => `- ${name}:${value}`;

function section(title: string, content: string | readonly string[] | undefined): string[] {
  const lines = content === undefined ? [] : [content].flat();
  return lines.length === 0 ? [] : [`### ${title}`, ...lines];
}
