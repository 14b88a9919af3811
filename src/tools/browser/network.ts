// Tools for what pages and agents send over the network.
import { z } from 'zod';
import { CAPTURE_ACTIONS, CAPTURE_MODES, capture as captureTab } from '../../engine/network/capture/capture.ts';
import { type RequestReport, requestDetails } from '../../engine/network/log/details.ts';
import type { RequestLog } from '../../engine/network/log/request-log.ts';
import { METHODS, request as sendRequest } from '../../engine/network/request/request.ts';
import { TYPES } from '../../engine/network/request-row.ts';
import { HANDLERS } from '../../engine/network/route/rules.ts';
import { changeRoutes, ROUTE_ACTIONS } from '../../engine/network/route/session-routes.ts';
import { urlBefore, urlMatcher } from '../../policy/url-pattern.ts';
import {
  about,
  headers as checkedHeaders,
  int,
  number,
  off,
  on,
  pageUrl,
  rare,
  savePath,
  someText,
  tabId,
  text,
  timeout,
  typedData,
  typedText,
  urlPattern,
} from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';
import { answerText, captureText, detailsText, logText, routesText } from './network-text.ts';

/** Everybody knows what headers look like: the listing need not say it. */
const headers = marked(z.record(z.string(), z.unknown()).pipe(checkedHeaders), 'plain');

/** The files of a form, each {path}. */
const filesIn = (form: unknown): string[] =>
  Object.values(Object(form))
    .flat()
    .flatMap(part => {
      const { path } = Object(part);
      return typeof path === 'string' ? [path] : [];
    });

export const request = tool({
  summary: "Send an HTTP request with the browser's cookies.",
  example: ['https://example.com'],
  effect: 'danger',
  despiteDialog: true,
  time: 30_000,
  input: {
    url: about('Where to send it', pageUrl),
    method: about('The HTTP method', z.enum(METHODS).default('GET')),
    headers: about('HTTP headers; here and in the body, {{secret:NAME}} stands for a secret', headers.optional()),
    body: about('The body as text', typedText(50_000_000).optional()),
    json: about('The body as JSON', typedData().optional()),
    form_data: about(
      'The body as a multipart form; a file is {path}',
      marked(z.record(z.string(), z.unknown()), ['read', 'typed'], filesIn).optional(),
      'Multipart; a file is {path}',
    ),
    follow_redirects: about('Go where a redirect leads', on),
    save_path: about('Write the body of the answer to this file', savePath.optional()),
    timeout: timeout(30_000),
    tabId,
  },
  run: (tab, input, limits) => sendRequest(tab, input, limits),
  text: answerText,
});

const ms = number(1, 3_600_000);

export const capture = tool({
  summary: 'Record requests, or a performance trace; stop sums up.',
  example: ['start'],
  effect: 'write',
  despiteDialog: true,
  // What was recorded may be large, and is handed over and read at the end.
  time: ({ action, auto_stop }) => (action === 'stop' || auto_stop ? 120_000 : 60_000),
  input: {
    action: about('insight tells more about one insight of the last trace', z.enum(CAPTURE_ACTIONS)),
    mode: about('Requests, or a performance trace; network if left out', z.enum(CAPTURE_MODES).optional()),
    url: about('The page to open when the recording has begun', pageUrl.optional()),
    reload: about('Load the page again when the trace has begun', off),
    auto_stop: rare('Stop the trace after 5 s', off),
    insight: about('The name of an insight of the last trace', text(200).optional()),
    include_bodies: about('Also the bodies of requests and answers', off),
    filter: z
      .strictObject({
        url_pattern: urlPattern.optional(),
        resource_types: z.array(z.enum(TYPES)).max(20).optional(),
        methods: z.array(text(20)).max(20).optional(),
      })
      .optional()
      .meta({ docs: 'Only requests that fit' }),
    max_capture_time: about('Longest recording, in ms', ms.default(180_000)),
    inactivity_time: rare('Stop when there was no request for so long, in ms', ms.optional()),
    save_path: about('Write a HAR or trace file', savePath.optional()),
    tabId,
  },
  run: (tab, input, limits) => captureTab(tab, input, limits),
  text: captureText,
});

/** Room for the words around the list. */
const WORDS = 500;

export const network_log = tool({
  summary: 'List the latest requests of a tab; they are always kept.',
  effect: 'read',
  despiteDialog: true,
  input: {
    url_pattern: urlPattern.optional(),
    max_requests: about('Only the latest of them', int(1, 1_000).default(100)),
    types: rare("Only these of Chrome's types", z.array(text(50)).max(50).optional()),
    since_navigation: rare('Only those of the page that is shown now', off),
    offset: rare('List from there on, with whole addresses', z.int().min(0).optional()),
    details: rare('Url of one request: its headers, bodies and redirects', someText(10_000).optional()),
    forget: rare('Throw them away instead', off),
    tabId,
  },
  async run(tab, input, limits): Promise<RequestLog | { details: RequestReport } | { forgotten: number }> {
    if (input.forget) return { forgotten: tab.requests.clear() };
    if (input.details !== undefined) return { details: await requestDetails(tab, input.details, limits) };
    const { url_pattern, max_requests: most, types, since_navigation: sinceNavigation, offset } = input;
    return tab.requests.read({
      ...(url_pattern !== undefined && { matches: urlMatcher(url_pattern) }),
      types,
      sinceNavigation,
      most,
      offset,
      whole: offset !== undefined,
      chars: tab.options.maxChars - WORDS,
    });
  },
  text(data) {
    if ('forgotten' in data) return `Forgot ${data.forgotten} requests.`;
    return 'details' in data ? detailsText(data.details) : logText(data);
  },
});

const response = z.strictObject({
  status: int(200, 599).default(200),
  headers: headers.optional(),
  body: z.string().max(10_000_000).optional(),
  json: z.unknown().optional(),
});

/** A page that is given to a site, or that a redirect brings there, runs as the site's own. JSON does not run, unless a header calls it something else. */
function scriptsIn(value: unknown): string[] {
  const { body, json, headers: given = {} } = value as z.output<typeof response>;
  const isNamed = Object.keys(given).some(name => /^content-type$/i.test(name));
  const redirects = Object.entries(given).flatMap(([name, to]) => (/^location$/i.test(name) ? [to] : []));
  return [
    ...redirects,
    ...(body === undefined ? [] : [body]),
    ...(json !== undefined && isNamed ? [JSON.stringify(json)] : []),
  ];
}

/** A request that is sent on to another place brings what is there into the page, also a script. */
const scriptUrl = marked(z.string().max(10_000), ['url', 'script']);

/** Judged by the url that it names, and by that of each request. */
const routedPattern = marked(z.string().min(1).max(5_000), 'url', pattern => [urlBefore(String(pattern)) ?? []].flat());

export const route = tool({
  summary: 'Block, mock or change requests of pages.',
  example: ['add', 'url_pattern=**/ads/**', 'handler=abort'],
  on: 'session',
  effect: 'danger',
  input: {
    action: about('remove takes one away, clear all', z.enum(ROUTE_ACTIONS)),
    url_pattern: about('Which requests: a url with * and **', routedPattern.optional(), 'With * and **'),
    handler: about('What becomes of them', z.enum(HANDLERS).optional()),
    response: about('The answer that the page gets, for fulfill', marked(response, 'script', scriptsIn).optional()),
    modify: z
      .strictObject({
        url: scriptUrl.optional(),
        method: text(20).toUpperCase().pipe(z.enum(METHODS)).optional(),
        headers: headers.optional(),
        post_data: typedText(10_000_000).optional(),
      })
      .optional()
      .meta({ docs: 'What is changed of the request, for continue' }),
    route_id: about('The route to remove, as list shows it', text(20).optional()),
    tabId: about('Only requests of this tab; those of all tabs if left out', tabId),
  },
  run: (session, input, limits) => changeRoutes(session.context, input, limits),
  text: routesText,
});
