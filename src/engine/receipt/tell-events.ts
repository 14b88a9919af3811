// The lines of a receipt about requests that failed or changed data, and about errors in the console.

import { ellipsis } from '../../ellipsis.ts';
import { quoted } from '../../policy/foreign-text.ts';
import { redact } from '../../policy/mask.ts';
import type { LoggedRequest } from '../network/log/request-log.ts';
import type { Tab } from '../tab/tab.ts';

const READS = /^(GET|HEAD|OPTIONS)$/;
const LONGEST_PATH = 120;
/** A page may send any word. */
const LONGEST_METHOD = 20;
const MOST_ERRORS = 3;

export function requestLines(tab: Tab, ids: readonly string[]): string[] {
  const rows = tab.requests.ofAction(ids).filter(row => hasFailed(row) || !READS.test(row.method));
  return [
    ...new Set(
      rows.map(row => `${ellipsis(row.method, LONGEST_METHOD)} ${pathOf(row.url, tab.url)}: ${outcomeOf(row)}`),
    ),
  ];
}

const hasFailed = ({ status, error }: LoggedRequest): boolean =>
  status >= 400 || (error !== undefined && error !== 'net::ERR_ABORTED');

function outcomeOf({ status, error }: LoggedRequest): string {
  if (status > 0) return String(status);
  return error ?? 'no answer yet';
}

function pathOf(url: string, page: string): string {
  const { host, pathname } = new URL(url);
  const path = redact(URL.canParse(page) && new URL(page).host === host ? pathname : host + pathname);
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH - 1)}…` : path;
}

/** Exceptions are told in the first line, and what could not be loaded as a request. */
export const consoleLines = (tab: Tab, mark: ReturnType<Tab['console']['latest']>): string[] =>
  tab.console
    .errorsAfter(mark)
    .slice(0, MOST_ERRORS)
    .map(text => `Console error: ${quoted(text, 200)}`);
