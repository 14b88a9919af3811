// Console, network, emulation and print.
import type { Done, NativeStep } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { type BrowsionRow, onPage, place, text, wildcard } from './row.ts';

const DID = { ok: true } as const;
const MOST_REQUESTS = 200;
const MOST_MESSAGES = 1_000;
const pattern = { url_pattern: text('A part of the url, or all of it with * for anything') };
const matching = { url_pattern: { from: 'url_pattern', as: wildcard } } as const;
const aliases = { pattern: 'url_pattern' };

const logsIn = ({ messages }: Args): unknown[] =>
  (Array.isArray(messages) ? messages : []).map(({ level, text: said, at, exception, stack, count }) => ({
    type: exception ? 'exception' : level,
    text: said,
    ...(at && { at }),
    ...(stack && { stack }),
    ...(count > 1 && { count }),
  }));

/** A request, and its answer when there was one. */
const entriesIn = ({ rows }: Args): unknown[] =>
  (Array.isArray(rows) ? rows : [])
    .flatMap(({ id, method, url, status, error }) => [
      { type: 'request', url, method, status: null, requestId: id },
      ...(status > 0 || error
        ? [{ type: 'response', url, method, status, requestId: id, ...(error && { error }) }]
        : []),
    ])
    .slice(-MOST_REQUESTS);

const screen = {
  width: { type: 'number', description: 'CSS pixels' },
  height: { type: 'number', description: 'CSS pixels' },
  device_scale_factor: { type: 'number' },
  mobile: { type: 'boolean', description: 'As on a phone, with touch' },
};
const size: NativeStep = {
  to: 'viewport',
  args: {
    width: ['width', { value: 1280 }],
    height: ['height', { value: 800 }],
    device_scale_factor: 'device_scale_factor',
    is_mobile: 'mobile',
    has_touch: 'mobile',
  },
};
const agent: NativeStep = { to: 'device', set: { keep: true }, args: { 'custom.user_agent': 'user_agent' } };
/** The browser of a profile is not that of a person who would be asked. */
const position: NativeStep = {
  to: 'geolocation',
  set: { grant: true },
  args: { latitude: 'latitude', longitude: 'longitude', accuracy: 'accuracy' },
};

/** What is asked for together is done in turn; what is not asked for stays as it is. */
const emulations: Done[] = [...Object.keys(screen), undefined]
  .flatMap(shown => ['user_agent', undefined].map(named => ({ shown, named })))
  .flatMap(({ shown, named }) => ['latitude', 'longitude', undefined].map(placed => ({ shown, named, placed })))
  .map(({ shown, named, placed }) => ({
    when: Object.fromEntries([shown, named, placed].flatMap(name => (name ? [[name, { is: 'given' } as const]] : []))),
    calls: [...(shown ? [size] : []), ...(named ? [agent] : []), ...(placed ? [position] : [])],
  }))
  .sort((a, b) => b.calls.length - a.calls.length)
  .map(({ when, calls }): Done => {
    const [first = position, ...others] = calls;
    return others.length > 0 ? { when, calls } : { when, ...first };
  });

const clear_console = onPage({
  category: 'Console',
  summary: 'Throw away the messages of the console.',
  at: 'POST console/clear',
  cases: [{ to: 'console', set: { action: 'clear' } }],
  gives: DID,
});

export const WATCHING: Readonly<Record<string, BrowsionRow>> = {
  enable_console_capture: onPage({
    category: 'Console',
    summary: 'From now on get_console_logs tells only what comes later.',
    at: 'POST console/enable',
    cases: [{ to: 'console', set: { action: 'start_buffer' } }],
    gives: DID,
  }),
  get_console_logs: onPage({
    category: 'Console',
    summary: 'Read the messages of the console, uncaught errors too; at most 1000 are kept.',
    at: 'GET console',
    cases: [{ to: 'console', set: { max_messages: MOST_MESSAGES } }],
    gives: { logs: logsIn, dropped: ({ dropped }) => dropped || undefined },
  }),
  clear_console,
  clear_console_logs: { ...clear_console, unlisted: true },
  get_network_log: onPage({
    category: 'Network',
    summary: 'List the last 200 requests and answers of the tab.',
    at: 'GET network_log',
    cases: [{ to: 'network_log', set: { max_requests: MOST_REQUESTS } }],
    gives: facts => {
      const entries = entriesIn(facts);
      return { entries, count: entries.length };
    },
  }),
  clear_network_log: onPage({
    category: 'Network',
    summary: 'Forget the requests so far.',
    at: 'POST network_log/clear',
    cases: [{ to: 'network_log', set: { forget: true } }],
    gives: DID,
  }),
  block_url: onPage({
    category: 'Network',
    summary: 'Block the requests to urls that match.',
    takes: pattern,
    aliases,
    required: ['url_pattern'],
    at: 'POST intercept/block',
    cases: [{ to: 'route', set: { action: 'add', handler: 'abort' }, args: matching }],
    gives: { ok: true, rule: () => 'block', pattern: 'input.url_pattern' },
  }),
  mock_url: onPage({
    category: 'Network',
    summary: 'Answer the requests to urls that match with something made up.',
    takes: {
      ...pattern,
      status: { type: 'number', description: 'HTTP status' },
      body: text('What to answer'),
      content_type: { type: 'string', default: 'application/json' },
    },
    aliases,
    required: ['url_pattern', 'status', 'body'],
    at: 'POST intercept/mock',
    cases: [
      {
        to: 'route',
        set: { action: 'add', handler: 'fulfill' },
        args: {
          ...matching,
          'response.status': 'status',
          'response.body': 'body',
          'response.headers.content-type': 'content_type',
        },
      },
    ],
    gives: { ok: true, rule: () => 'mock', pattern: 'input.url_pattern' },
  }),
  clear_intercepts: {
    ...onPage({
      category: 'Network',
      summary: 'End all blocking and mocking.',
      at: 'DELETE intercept',
      cases: [{ to: 'route', set: { action: 'clear' } }],
      gives: DID,
    }),
    at: [place('DELETE intercept'), place('POST intercept/clear')],
  },
  emulate: onPage({
    category: 'Emulation',
    summary: 'Let the page see another screen, browser or place.',
    takes: {
      ...screen,
      user_agent: text('What the browser calls itself'),
      latitude: { type: 'number' },
      longitude: { type: 'number' },
      accuracy: { type: 'number', default: 100, description: 'Metres' },
    },
    at: 'POST emulate',
    cases: emulations,
    gives: DID,
  }),
  print_to_pdf: onPage({
    category: 'PDF',
    summary: 'Print the page to a PDF, as base64.',
    takes: {
      landscape: { type: 'boolean', default: false },
      print_background: { type: 'boolean', default: true },
      scale: { type: 'number', default: 1, description: '0.1 to 2' },
    },
    at: 'GET pdf',
    cases: [
      {
        to: 'pdf',
        set: { save_path: '-' },
        args: { landscape: 'landscape', print_background: 'print_background', scale: 'scale' },
      },
    ],
    gives: { data: 'base64', format: () => 'pdf', pages: 'pages', bytes: 'bytes' },
  }),
};
