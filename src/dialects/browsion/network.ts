// Console, network and emulation.
import type { NativeCase, NativeStep, Sources } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { urlPattern } from './sources.ts';
import { type BrowsionMapping, OK } from './template.ts';

const MOST_REQUESTS = 200;
const MOST_MESSAGES = 1_000;
/** Room for all of them. */
const MOST_CHARS = 1_000_000;
const intercept = (rule: string, handler: string, args: Sources = {}) => ({
  tool: 'route',
  constants: { action: 'add', handler },
  args: { url_pattern: urlPattern('url_pattern'), ...args },
  template: { ok: true, rule: () => rule, pattern: 'input.url_pattern' } as const,
});

const logsIn = ({ messages }: Args): unknown[] =>
  (Array.isArray(messages) ? messages : []).map(({ level, text: said, at, exception, stack, count }) => ({
    type: exception ? 'exception' : level,
    text: said,
    ...(at && { at }),
    ...(stack && { stack }),
    ...(count > 1 && { count }),
  }));

/** An entry for each request, and one for its response if there was one. */
const entriesIn = ({ rows }: Args): unknown[] =>
  (Array.isArray(rows) ? rows : [])
    .flatMap(({ id, method, url, status, error }) => [
      { type: 'request', url, method, status: null, requestId: id },
      ...(status > 0 || error
        ? [{ type: 'response', url, method, status, requestId: id, ...(error && { error }) }]
        : []),
    ])
    .slice(-MOST_REQUESTS);

const EMULATED = ['width', 'height', 'device_scale_factor', 'mobile', 'user_agent', 'latitude', 'longitude'];

/** A call that asks for nothing ends all emulation. */
const undo: NativeCase = {
  when: Object.fromEntries(EMULATED.map(name => [name, { is: 'missing' } as const])),
  tool: 'emulate',
  constants: { reset: true },
};

/** Each part of the emulation that has arguments is done, in this order; the others stay as they are. */
const emulations: readonly NativeStep[] = [
  {
    needs: ['width', 'height', 'device_scale_factor', 'mobile'],
    tool: 'viewport',
    args: {
      width: ['width', { value: 1280 }],
      height: ['height', { value: 800 }],
      device_scale_factor: 'device_scale_factor',
      is_mobile: 'mobile',
      has_touch: 'mobile',
    },
  },
  { needs: ['user_agent'], tool: 'device', constants: { keep: true }, args: { 'custom.user_agent': 'user_agent' } },
  {
    needs: ['latitude', 'longitude'],
    tool: 'geolocation',
    // No person sits at the browser of a profile to grant the permission.
    constants: { grant: true },
    args: { latitude: 'latitude', longitude: 'longitude', accuracy: 'accuracy' },
  },
];

const clear_console = { tool: 'console', constants: { action: 'clear', all_tabs: true }, template: OK } as const;

export const network = {
  enable_console_capture: { tool: 'console', constants: { action: 'start_buffer', all_tabs: true }, template: OK },
  get_console_logs: {
    tool: 'console',
    constants: { all_tabs: true, max_messages: MOST_MESSAGES, max_chars: MOST_CHARS },
    template: { logs: logsIn, dropped: ({ dropped }) => dropped || undefined },
  },
  clear_console,
  clear_console_logs: clear_console,
  get_network_log: {
    tool: 'network_log',
    constants: { max_requests: MOST_REQUESTS },
    template: facts => {
      const entries = entriesIn(facts);
      return { entries, count: entries.length };
    },
  },
  clear_network_log: { tool: 'network_log', constants: { forget: true }, template: OK },
  block_url: intercept('block', 'abort'),
  mock_url: intercept('mock', 'fulfill', {
    'response.status': 'status',
    'response.body': 'body',
    'response.headers': 'headers',
    'response.headers.content-type': 'content_type',
  }),
  clear_intercepts: { tool: 'route', constants: { action: 'clear' }, template: OK },
  emulate: { cases: [undo, { calls: emulations }], template: OK },
} as const satisfies Record<string, BrowsionMapping>;
