// Tools for what pages and agents send over the network.
import { z } from 'zod';
import { urlMatcher } from '../../engine/navigation/wait.ts';
import { CAPTURE_ACTIONS, CAPTURE_MODES, capture as captureTab } from '../../engine/network/capture/capture.ts';
import { TYPES } from '../../engine/network/capture/entry.ts';
import { type RequestReport, requestDetails } from '../../engine/network/log/details.ts';
import type { RequestLog } from '../../engine/network/log/request-log.ts';
import { METHODS, request as sendRequest } from '../../engine/network/request/request.ts';
import { HANDLERS } from '../../engine/network/route/rules.ts';
import { changeRoutes, ROUTE_ACTIONS } from '../../engine/network/route/session-routes.ts';
import { headers as checkedHeaders, pageUrl, savePath, sourceUrl, tabId, timeout, urlPattern } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';
import { answerText, captureText, detailsText, logText, routesText } from './network-text.ts';

/** Everybody knows what headers look like: the listing need not say it. */
const headers = z.record(z.string(), z.unknown()).pipe(checkedHeaders);

/** The files of a form, each {path}. */
const filesIn = (form: unknown): string[] =>
  Object.values(Object(form))
    .flat()
    .flatMap(part => {
      const { path } = Object(part);
      return typeof path === 'string' ? [path] : [];
    });

export const request = tool({
  name: 'request',
  group: 'network',
  summary: "Send an HTTP request with the browser's cookies.",
  on: 'tab',
  effect: 'danger',
  despiteDialog: true,
  time: 30_000,
  input: {
    url: pageUrl,
    method: z.enum(METHODS).default('GET'),
    headers: headers.optional(),
    body: z.string().max(50_000_000).optional(),
    json: z.record(z.string(), z.unknown()).optional(),
    form_data: marked(z.record(z.string(), z.unknown()), 'read', filesIn)
      .optional()
      .describe('Multipart; a file is {path}'),
    follow_redirects: z.boolean().default(true),
    save_path: savePath.optional(),
    timeout: timeout(30_000),
    tabId,
  },
  run: (tab, input, limits) => sendRequest(tab, input, limits),
  text: answerText,
});

const ms = z.number().min(1).max(3_600_000);

export const capture = tool({
  name: 'capture',
  group: 'network',
  summary: 'Record requests, or a performance trace; stop sums up.',
  on: 'tab',
  effect: 'write',
  despiteDialog: true,
  // What was recorded may be large, and is handed over and read at the end.
  time: ({ action, auto_stop }) => (action === 'stop' || auto_stop ? 120_000 : 60_000),
  input: {
    action: z.enum(CAPTURE_ACTIONS),
    mode: z.enum(CAPTURE_MODES).optional(),
    url: pageUrl.optional().describe('Page to open then'),
    reload: z.boolean().default(false),
    auto_stop: z.boolean().default(false).describe('After 5 s'),
    insight: z.string().max(200).optional().describe('Of the last trace'),
    include_bodies: z.boolean().default(false),
    filter: z
      .strictObject({
        url_pattern: urlPattern.optional(),
        resource_types: z.array(z.enum(TYPES)).max(20).optional(),
        methods: z.array(z.string().max(20)).max(20).optional(),
      })
      .optional(),
    max_capture_time: ms.default(180_000),
    inactivity_time: ms.optional(),
    save_path: savePath.optional().describe('For a HAR or trace file'),
    tabId,
  },
  run: (tab, input, limits) => captureTab(tab, input, limits),
  text: captureText,
});

/** Room for the words around the list. */
const WORDS = 500;

export const network_log = tool({
  name: 'network_log',
  group: 'network',
  summary: 'List the latest requests of a tab; they are always kept.',
  on: 'tab',
  effect: 'read',
  despiteDialog: true,
  time: 'action',
  input: {
    url_pattern: urlPattern.optional(),
    max_requests: z.int().min(1).max(1_000).default(100),
    types: z.array(z.string().max(50)).max(50).optional().describe("Only these of Chrome's types"),
    since_navigation: z.boolean().default(false).describe('Only those of the page that is shown now'),
    offset: z.int().min(0).optional().describe('List from there on, with whole addresses'),
    details: z.string().min(1).max(10_000).optional().describe('Url of one request: its headers, bodies and redirects'),
    forget: z.boolean().default(false).describe('Throw them away instead'),
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
  status: z.int().min(200).max(599).default(200),
  headers: headers.optional(),
  body: z.string().max(10_000_000).optional(),
  json: z.unknown().optional(),
});

/** A page that is given to a site runs as the site's own. JSON does not run, unless a header calls it something else. */
function scriptsIn(value: unknown): string[] {
  const { body, json, headers: given = {} } = value as z.output<typeof response>;
  const isNamed = Object.keys(given).some(name => /^content-type$/i.test(name));
  return [...(body === undefined ? [] : [body]), ...(json !== undefined && isNamed ? [JSON.stringify(json)] : [])];
}

export const route = tool({
  name: 'route',
  group: 'network',
  summary: 'Block, mock or change requests of pages.',
  on: 'session',
  effect: 'danger',
  time: 'action',
  input: {
    action: z.enum(ROUTE_ACTIONS),
    url_pattern: urlPattern.optional().describe('With * and **'),
    handler: z.enum(HANDLERS).optional(),
    response: marked(response, 'script', scriptsIn).optional(),
    modify: z
      .strictObject({
        url: sourceUrl.optional(),
        method: z.string().toUpperCase().pipe(z.enum(METHODS)).optional(),
        headers: headers.optional(),
        post_data: z.string().max(10_000_000).optional(),
      })
      .optional(),
    route_id: z.string().max(20).optional(),
    tabId,
  },
  run: (session, input, limits) => changeRoutes(session.context, input, limits),
  text: routesText,
});
