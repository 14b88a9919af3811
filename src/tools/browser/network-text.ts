// The words of the network tools.
import { counted, seconds, size } from '../../engine/amounts.ts';
import type { Captured, CaptureResult } from '../../engine/network/capture/capture.ts';
import type { RequestReport } from '../../engine/network/log/details.ts';
import type { RequestLog } from '../../engine/network/log/request-log.ts';
import type { RequestResult } from '../../engine/network/request/request.ts';
import type { RequestRow } from '../../engine/network/request-row.ts';
import type { RouteResult, RouteRow } from '../../engine/network/route/session-routes.ts';
import type { Phrase } from '../../text.ts';
import { pageLine } from '../effects-text.ts';
import { insightText, tracedText } from './trace-text.ts';

export function answerText(data: RequestResult): string {
  const { status, statusText, headers, bytes, ms, redirects, url, cookies, file, body, cutFrom } = data;
  const parts = [
    `${status} ${statusText}`.trim(),
    ...(headers['content-type'] === undefined ? [] : [headers['content-type']]),
    data.unread ? `more than ${size(bytes)}` : size(bytes),
    `${ms} ms`,
    ...(redirects > 0 ? [`at ${url} after ${redirects} redirect${redirects > 1 ? 's' : ''}`] : []),
    ...(headers.location === undefined ? [] : [`leads to ${headers.location}`]),
    ...(cookies ? [`set cookies ${cookies.join(', ')}`] : []),
  ];
  const lines = [parts.join(', ')];
  if (file) lines.push(`Saved to ${file.path}${data.unread ? ' (the rest was not read)' : ''}`);
  else if (body !== undefined) lines.push(body);
  else if (bytes > 0) lines.push('The body is binary: save_path keeps it.');
  else lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  if (cutFrom !== undefined)
    lines.push(`[${cutFrom - (body?.length ?? 0)} of ${cutFrom} characters are cut off here: save_path keeps all.]`);
  return lines.join('\n');
}

export function routesText({ added, removed, routes }: RouteResult): string {
  if (added) return `Added ${routeLine(added, '')}`;
  const rows = removed ?? routes ?? [];
  if (rows.length === 0) return removed ? 'There were no routes.' : 'There are no routes.';
  const unused = removed ? ', never used' : ', not used yet';
  return `${removed ? 'Removed:\n' : ''}${rows.map(row => routeLine(row, unused)).join('\n')}`;
}

function routeLine({ route_id, handler, url_pattern, tabId, hits, trouble }: RouteRow, unused: string): string {
  const where = tabId === undefined ? '' : `, tab ${tabId} only`;
  const used = hits === 0 ? unused : `, used ${hits === 1 ? 'once' : `${hits} times`}`;
  return `${route_id}: ${handler} ${url_pattern}${where}${used}${trouble === undefined ? '' : ` (${trouble})`}`;
}

const endedBy = (why: string | undefined): string => (why === undefined ? '' : ` It ended ${why}.`);

export function captureText(data: CaptureResult): string | Phrase {
  const { started, captured, traced, network, trace, insight } = data;
  if (insight) return insightText(insight);
  if (captured) return capturedText(captured);
  if (traced) return tracedText(traced);
  if (started) {
    const dropped =
      started.dropped === 0 ? '' : ` ${counted(started.dropped, 'request')} of an earlier one are dropped.`;
    const page = started.page
      ? ` Now at ${pageLine(started.page)}.`
      : started.notOpened
        ? ` But ${started.notOpened}`
        : '';
    return `${started.mode === 'trace' ? 'The trace' : 'The capture'} runs; stop gives what it has.${dropped}${page}`;
  }
  const lines: string[] = [];
  if (network)
    lines.push(
      `Capture: ${counted(network.requests, 'request')}, ${size(network.bytes)} in ${seconds(network.ms)}${network.running ? ' so far' : ''}.${endedBy(network.ended)}`,
    );
  if (trace)
    lines.push(
      `Trace of tab ${trace.tabId}: ${seconds(trace.ms)}${trace.running ? ' so far' : ''}.${endedBy(trace.ended)}`,
    );
  return lines.join('\n') || 'Nothing is captured in this tab.';
}

function capturedText(data: Captured): string {
  const types = Object.entries(data.byType).map(([type, count]) => `${count} ${type}`);
  const origin = commonOrigin(data.rows);
  const lines = [
    `${counted(data.requests, 'request')} in ${seconds(data.ms)}, ${size(data.bytes)}${types.length > 0 ? `: ${types.join(', ')}` : ''}; ${data.failed === 0 ? 'none' : data.failed} failed.${endedBy(data.ended)}`,
  ];
  if (data.requests === 0 && data.filteredOut > 0)
    lines.push(`The filter matched none of ${counted(data.filteredOut, 'request')}.`);
  if (data.dropped > 0) lines.push(`${data.dropped} more were not recorded: there was no more room.`);
  if (data.file) lines.push(`HAR file, credentials masked: ${data.file.path}`);
  if (data.slowest.length > 0)
    lines.push(`Slowest: ${data.slowest.map(row => `${shown(row.url, origin)} ${row.ms} ms`).join(', ')}`);
  if (origin !== '') lines.push(`At ${origin}`);
  lines.push(...data.rows.map(row => rowLine(row, origin)));
  if (data.left > 0)
    lines.push(`… and ${data.left} more${data.file ? ' in the file' : ': save_path writes all to a file'}.`);
  return lines.join('\n');
}

/** Frames of other sites tell their requests to a capture only. */
export function logText({ rows, total, others, dropped }: RequestLog): string {
  if (total === 0) return others === 0 ? 'No requests.' : `None of ${counted(others, 'request')} matches.`;
  const origin = commonOrigin(rows);
  const earlier = total - rows.length;
  return [
    ...(earlier > 0 ? [`… ${earlier} earlier not shown (max_requests, or filter by url_pattern).`] : []),
    ...(dropped > 0 ? [`… ${counted(dropped, 'older request')} dropped: the latest 1000 are kept.`] : []),
    ...(origin === '' ? [] : [`At ${origin}`]),
    ...rows.map(row => rowLine(row, origin)),
  ].join('\n');
}

/** One request, with all that is known of it. */
export function detailsText(details: RequestReport): string {
  const { row, same, requestHeaders, responseHeaders, requestBody, responseBody, redirects } = details;
  const lines = (headers: RequestReport['requestHeaders']) => headers.map(({ name, value }) => `  ${name}: ${value}`);
  return [
    rowLine(row, ''),
    ...(same > 1 ? [`The first of ${same} with this url.`] : []),
    ...redirects.map(hop => `Redirected: ${rowLine(hop, '')}`),
    ...(requestHeaders.length > 0 ? ['Sent:', ...lines(requestHeaders)] : []),
    ...(requestBody === undefined ? [] : [requestBody]),
    ...(responseHeaders.length > 0 ? ['Got:', ...lines(responseHeaders)] : []),
    ...(responseBody === undefined ? [] : [responseBody]),
  ].join('\n');
}

function rowLine(row: RequestRow, origin: string): string {
  const status = row.pending ? 'no answer yet' : (row.error ?? String(row.status));
  const from = row.from ? ` from ${row.from}` : '';
  const by = row.byServiceWorker ? ' by service worker' : '';
  const weight = row.messages === undefined ? ` ${size(row.bytes)}` : ` ${counted(row.messages, 'message')}`;
  const said = row.body ?? (row.noBody === undefined ? undefined : `(body: ${row.noBody})`);
  const body = said === undefined ? '' : `\n  ${said.replaceAll('\n', '\n  ')}`;
  return `${row.method} ${shown(row.url, origin)} ${status} ${row.type}${from || weight}${by} ${row.ms} ms${body}`;
}

/** Where most requests went: there the path is enough. */
function commonOrigin(rows: readonly RequestRow[]): string {
  const counts = new Map<string, number>();
  for (const { url } of rows) {
    const origin = /^https?:\/\/[^/?#]+/.exec(url)?.[0];
    if (origin !== undefined) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? '';
}

const shown = (url: string, origin: string): string =>
  origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
