// The devtools dialect as data (S2-41, S2-50…S2-77): its schemas are the recorded ones, and calls mean what they should.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeFor, timesOf } from '../../src/call/bounds.ts';
import type { Options } from '../../src/config/options.ts';
import { adapterOf } from '../../src/dialects/adapter.ts';
import { namesIn, stepsOf } from '../../src/dialects/decode.ts';
import type { LastShown } from '../../src/dialects/definition.ts';
import { consoleLines } from '../../src/dialects/devtools/console.ts';
import { DEFINITION as DEVTOOLS } from '../../src/dialects/devtools/definition.ts';
import { print } from '../../src/dialects/devtools/print.ts';
import { requestList } from '../../src/dialects/devtools/requests.ts';
import { screenshotText, scriptText } from '../../src/dialects/devtools/texts.ts';
import { encodeFailure } from '../../src/dialects/encode.ts';
import { defaultIn } from '../../src/dialects/registry.ts';
import { wordingOf } from '../../src/dialects/wording.ts';
import type { Tab } from '../../src/engine/tab/tab.ts';
import { Failure } from '../../src/errors.ts';
import type { Server } from '../../src/session/server.ts';
import { listDialect } from '../../src/surfaces/listing/schema.ts';
import { capital, noun, phrase, refName, TAKE_NEW_SNAPSHOT, tabName } from '../../src/text.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { unknownTool } from '../../src/tools/unknown-tool.ts';
import { bare, NAMES, RECORDED } from './devtools-tools.ts';

const SHOWN: LastShown = { pages: [4, 7, 9], open: [4, 9, 12], active: 4, snapshot: { number: 3, tab: 4 } };
const ours = (name: string, args: Record<string, unknown> = {}, shown = SHOWN) => {
  const adapter = adapterOf('devtools', { ...DEVTOOLS, lastShown: () => shown });
  const decoded = adapter.decode({ name, args, caller: { id: 'ann' }, server: {} as Server, tools: TOOLS });
  if (!decoded) throw unknownTool(adapter.toolNames, name);
  return decoded;
};
const meant = (name: string, args: Record<string, unknown> = {}, shown = SHOWN) => {
  const { tool, args: given } = ours(name, args, shown);
  return { tool: tool.name, args: given };
};
function failure(name: string, args: Record<string, unknown> = {}, shown = SHOWN): Failure {
  try {
    ours(name, args, shown);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`${name} ${JSON.stringify(args)} was taken`);
}

it.each([
  [0.5, 'It is shown at 50 % of its size'],
  [1, 'It is shown slightly smaller than it is'],
])('14.21 a picture at scale %s', (scale, text) => {
  expect(screenshotText({ scale })).toContain(text);
});

describe('S2-41 the table', () => {
  const listed = listDialect(DEVTOOLS, TOOLS).map(({ tool }) => tool);

  it('lists the 26 recorded tools in their order, and no other', () => {
    expect(listed.map(({ name }) => name)).toEqual(NAMES);
    expect(NAMES).toHaveLength(26);
  });

  it.each(RECORDED.map(tool => [tool.name, tool] as const))(
    '14.20 %s has the recorded schema and annotations',
    (name, recorded) => {
      const tool = listed.find(one => one.name === name)!;
      expect(bare(tool.inputSchema)).toEqual(recorded.inputSchema);
      expect(tool.annotations).toHaveProperty('category');
      expect(tool.annotations).toEqual(recorded.annotations);
      expect(tool.description.length).toBeGreaterThan(10);
      const { cases, arguments: taken } = DEVTOOLS.tools[name]!;
      const mapped = cases
        .flatMap(stepsOf)
        .flatMap(({ args = {} }) => Object.values(args))
        .flatMap(namesIn);
      const conditions = cases.flatMap(({ when = {} }) => Object.keys(when));
      expect(Object.keys(taken).filter(arg => ![...mapped, ...conditions].includes(arg))).toEqual([]);
    },
  );

  it('S2-42 takes the loose names too, without listing them', () => {
    const names = [
      ...['get_console_logs', 'clear_console', 'set_device_metrics', 'click_element', 'type_text', 'get_network_logs'],
      ...['get_page_content', 'start_performance_trace', 'execute_script', 'capture_snapshot', 'screenshot'],
    ];
    const unlisted = Object.keys(DEVTOOLS.tools).filter(name => DEVTOOLS.tools[name]?.unlisted);
    expect(unlisted.sort()).toEqual(names.sort());
    expect(listed.filter(({ name }) => names.includes(name))).toEqual([]);
    expect(meant('start_performance_trace')).toEqual({
      tool: 'capture',
      args: { action: 'start', mode: 'trace', reload: true, auto_stop: true },
    });
  });

  it('names only tools of its own in hints', () => {
    for (const [name, theirs] of Object.entries(DEVTOOLS.names)) {
      expect(TOOLS.map(row => row.name)).toContain(name);
      expect(NAMES).toContain(theirs);
    }
  });
});

describe('a call', () => {
  const uid = '3_12';
  const at = { selector: '@e12', tabId: 4 };
  it.each([
    ['S2-50', 'click', { uid }, 'click', at],
    ['S2-50', 'click', { uid, dblClick: true }, 'dblclick', at],
    ['S2-51', 'drag', { from_uid: uid, to_uid: '3_13' }, 'drag', { source: '@e12', target: '@e13', tabId: 4 }],
    ['S2-52', 'fill', { uid, value: 'x' }, 'fill', { ...at, value: 'x' }],
    [
      'S2-53',
      'fill_form',
      { elements: [{ uid, value: 'x' }] },
      'fill_form',
      { fields: [{ selector: '@e12', value: 'x' }], tabId: 4 },
    ],
    ['S2-54', 'handle_dialog', { action: 'accept', promptText: 'y' }, 'dialog', { action: 'accept', prompt_text: 'y' }],
    ['S2-55', 'hover', { uid }, 'hover', at],
    ['S2-56', 'upload_file', { uid, filePath: '/a' }, 'upload', { ...at, files: ['/a'] }],
    ['S2-57', 'close_page', { pageIdx: 2 }, 'tab_close', { keep_last: true, tabId: 9 }],
    ['S2-58', 'list_pages', {}, 'tab_list', {}],
    ['S2-59', 'navigate_page', { url: 'http://a', timeout: 0 }, 'navigate', { url: 'http://a' }],
    ['S2-59', 'navigate_page', { url: 'http://a', timeout: 9 }, 'navigate', { url: 'http://a', timeout: 9 }],
    ['S2-60', 'navigate_page_history', { navigate: 'back' }, 'navigate', { action: 'back' }],
    ['S2-61', 'new_page', { url: 'http://a', timeout: -1 }, 'tab_new', { url: 'http://a' }],
    ['S2-62', 'select_page', { pageIdx: 0 }, 'tab_switch', { tabId: 4 }],
    ['S2-63', 'wait_for', { text: 'x', timeout: 5 }, 'wait', { for: 'text_or_name', text: 'x', timeout: 5 }],
    ['S2-64', 'emulate_cpu', { throttlingRate: 4 }, 'emulate', { cpu_throttle: 4 }],
    ['S2-65', 'emulate_network', { throttlingOption: 'Slow 4G' }, 'emulate', { network_throttle: 'slow_4g' }],
    ['S2-66', 'resize_page', { width: 5, height: 6 }, 'viewport', { in_window: true, width: 5, height: 6 }],
    ['S2-68', 'performance_stop_trace', {}, 'capture', { action: 'stop', mode: 'trace' }],
    ['S2-69', 'performance_analyze_insight', { insightName: 'A' }, 'capture', { action: 'insight', insight: 'A' }],
    ['S2-70', 'get_network_request', { url: 'u' }, 'network_log', { since_navigation: true, details: 'u' }],
    [
      'S2-71',
      'list_network_requests',
      { pageSize: 5, pageIdx: 2, resourceTypes: ['image'] },
      'network_log',
      { since_navigation: true, max_requests: 5, offset: 10, types: ['image'] },
    ],
    [
      'S2-71',
      'list_network_requests',
      { pageIdx: 1 },
      'network_log',
      { since_navigation: true, max_requests: 20, offset: 20 },
    ],
    ['S2-72', 'evaluate_script', { function: 'f' }, 'evaluate', { expression: 'f' }],
    [
      'S2-72',
      'evaluate_script',
      { function: 'f', args: [{ uid }] },
      'evaluate',
      { expression: 'f', elements: ['@e12'], tabId: 4 },
    ],
    ['S2-73', 'list_console_messages', {}, 'console', { max_messages: 1_000, since_navigation: true }],
    ['S2-75', 'take_snapshot', {}, 'snapshot', { style: 'uids', compact: true }],
  ])('%s %s %j', (_id, name, args, tool, expected) => {
    expect(meant(name, args)).toEqual({ tool, args: expected });
  });

  it('S2-77 takes only uids of the latest snapshot, and of the page that is selected', () => {
    for (const [wrong, why] of [
      ['2_12', /^uid "2_12" is from a stale snapshot; the latest one is 3\.$/],
      ['4_12', /stale snapshot/],
      ['x', /is no uid/],
    ] as const)
      expect(failure('click', { uid: wrong })).toMatchObject({
        code: 'stale_ref',
        message: expect.stringMatching(why),
      });
    expect(failure('click', { uid }, { ...SHOWN, active: 9 }).message).toMatch(/stale snapshot: another page/);
    expect(failure('click', { uid }, { pages: [], open: [] }).message).toBe('There is no snapshot yet.');
  });

  it('S2-57 means pages as they were listed', () => {
    expect(failure('select_page', { pageIdx: 1 }).message).toBe(
      'No page found at 1: it has been closed since the pages were listed.',
    );
    expect(failure('select_page', { pageIdx: 3 }).message).toMatch(/the last list went from 0 to 2/);
    expect(failure('close_page', { pageIdx: 0.5 }).code).toBe('no_tab');
    expect(meant('select_page', { pageIdx: 2 }, { pages: [], open: [4, 9, 12] }).args).toEqual({ tabId: 12 });
  });

  it('takes nothing but its own tools and arguments', () => {
    for (const { name } of TOOLS)
      if (!Object.hasOwn(DEVTOOLS.tools, name)) expect(failure(name).code).toBe('unknown_tool');
    expect(failure('click', { uid, selector: '#a' }).message).toBe('click: unknown argument "selector".');
    expect(failure('click', { uid, session: 'a' }).code).toBe('bad_input');
    expect(failure('fill_form', { elements: [{ uid, value: 'x', more: 1 }] }).message).toMatch(/unknown "more"/);
    expect(failure('list_network_requests', { pageSize: 0 }).message).toMatch(/pageSize must be more than 0, got 0/);
    expect(failure('list_network_requests', { resourceTypes: ['page'] }).message).toMatch(/must be one of "document"/);
    expect(failure('navigate_page', { url: 'http://a', timeout: 1.5 }).message).toMatch(
      /timeout must be a whole number/,
    );
    expect(failure('take_screenshot', { uid, fullPage: true })).toMatchObject({ code: 'bad_input' });
    expect(failure('clik').hint).toMatch(/Did you mean click\b/);
    expect(failure('zzz').hint).not.toContain('execute_script');
  });

  it('is answered with a call or a Failure, whatever it holds', () => {
    const keys = [...new Set(RECORDED.flatMap(tool => Object.keys(tool.inputSchema.properties))), '__proto__', 'x'];
    const names = Object.keys(DEVTOOLS.tools);
    const args = fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.jsonValue(), fc.constantFrom('3_1', '3_x', 0, 1)));
    fc.assert(
      fc.property(fc.constantFrom(...names), args, (name, given) => {
        try {
          expect(TOOLS).toContain(ours(name, given).tool);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});

describe('S2-77 times', () => {
  const tabWith = (cpu: number, network: string) => ({ emulation: { settings: { cpu, network } } }) as unknown as Tab;
  const options = {
    dialect: 'native',
    timeoutAction: 5_000,
    timeoutNavigation: 30_000,
    timeoutCall: 120_000,
  } as Options;
  const call = undefined;
  const theirs = adapterOf('devtools', DEVTOOLS);
  const row = (name: string) => DEVTOOLS.tools[name]!;
  const tool = (name: string) => TOOLS.find(one => one.name === name)!;

  it('are 5 s and 10 s, on its own server and at the path of another one, unless somebody says otherwise', () => {
    expect(defaultIn('devtools', 'timeoutAction')).toBe(5_000);
    expect(defaultIn('devtools', 'timeoutNavigation')).toBe(10_000);
    const load = Number.POSITIVE_INFINITY;
    expect(timesOf(theirs, options, undefined)).toEqual({ action: 5_000, navigation: 10_000, load });
    expect(timesOf(call, options, undefined)).toEqual({ action: 5_000, navigation: 30_000, load: 5_000 });
    const other = { ...options, timeoutAction: 7_000, timeoutNavigation: 40_000 };
    expect(timesOf(theirs, other, undefined)).toEqual({ action: 7_000, navigation: 40_000, load });
    const own = { ...options, dialect: 'devtools' as const, timeoutNavigation: 10_000 };
    expect(timesOf(theirs, own, undefined)).toEqual({ action: 5_000, navigation: 10_000, load });
  });

  it.each([
    ['none', 1],
    ['4g', 1],
    ['slow_4g', 2.5],
    ['fast_3g', 5],
    ['slow_3g', 10],
  ])('S2-65 over %s a navigation gets %f times as long', (network, times) => {
    expect(timesOf(theirs, options, tabWith(1, network)).navigation).toBe(10_000 * times);
  });

  it('S2-64 an action gets longer on a slow processor, unless the caller says how long', () => {
    const times = timesOf(call, options, tabWith(4, 'none'));
    expect(times).toEqual({ action: 20_000, navigation: 30_000, load: 5_000 });
    expect(timeFor(tool('click'), {}, options, times)).toBe(20_000);
    expect(timeFor(tool('click'), { timeout: 900 }, options, times)).toBe(900);
    expect(timeFor(tool('navigate'), {}, options, timesOf(call, options, tabWith(1, 'slow_3g')))).toBe(120_000);
    expect(timeFor(tool('wait'), {}, options, times)).toBe(30_000);
    expect(timeFor(tool('wait'), {}, options, timesOf(theirs, options, undefined), row('wait_for').time)).toBe(5_000);
  });
});

describe('S2-76 the frame', () => {
  it('has its sections in order', () => {
    const context = {
      network: 'slow_3g',
      navigation: 100_000,
      cpu: 4,
      dialog: { type: 'prompt', message: 'Who?', defaultValue: 'me' },
      pages: [
        { url: 'http://a/', selected: false },
        { url: 'http://b/', selected: true },
      ],
      content: 'uid=1_1 RootWebArea ""',
    };
    const answer = { tool: 'click', notes: ['A note.'], text: 'Done', footer: '## Network requests\nnone' };
    expect(print(answer, context).split('\n')).toEqual([
      '# click response',
      'A note.',
      'Done',
      '## Network emulation',
      'Emulating: Slow 3G',
      'Default navigation timeout set to 100000 ms',
      '## CPU emulation',
      'Emulating: 4x slowdown',
      '# Open dialog',
      'prompt: Who? (default value: me).',
      'Call handle_dialog to handle it before continuing.',
      '## Pages',
      '0: http://a/',
      '1: http://b/ [selected]',
      '## Page content',
      'uid=1_1 RootWebArea ""',
      '## Network requests',
      'none',
    ]);
    expect(print({ tool: 'hover', notes: [], text: '', footer: '' }, {})).toBe('# hover response');
  });

  it('S2-73 S2-71 S2-72 prints messages, requests and values', () => {
    const message = { level: 'warn' as const, text: 'careful', at: 'http://a/b/c.js?d:3', column: 7, count: 2 };
    expect(consoleLines({ messages: [message], total: 3, dropped: 1 })).toBe(
      '## Console messages\n<3 earlier messages are not shown>\nWarning> c.js:3:7: careful (2 times)',
    );
    const rows = [{ url: 'http://a/', method: 'GET', status: 304 }];
    expect(requestList({ rows, total: 9, dropped: 0, offset: 4, input: { offset: 4, max_requests: 4 } })).toBe(
      '## Network requests\nShowing 5-5 of 9 (Page 2 of 3).\nNext page: 2\nPrevious page: 0\nThe rest has no room here: give a smaller pageSize.\nhttp://a/ GET [success - 304]',
    );
    expect(scriptText({ type: 'string', text: 'a"b' })).toMatch(/\n"a\\"b"\n/);
  });

  it('S2-77 tells refs as uids, and tabs as pages; what a page says stays', () => {
    const tabs = phrase`${capital(tabName(9))} and ${tabName(5)}: "tab 9"`;
    expect(tabs.in(wordingOf(DEVTOOLS, { tabs: [4, 9], snapshot: 3 }))).toBe('Page 1 and the page: "tab 9"');
    const stale = new Failure(
      'stale_ref',
      phrase`${refName(9)} is gone in ${tabName(4)}.`,
      phrase`${capital(TAKE_NEW_SNAPSHOT)} and use a ${noun('ref')} from it.`,
    );
    expect(encodeFailure(DEVTOOLS, wordingOf(DEVTOOLS, { tabs: [4], snapshot: 3 }), stale)).toMatchObject({
      message: '3_9 is gone in page 0.',
      hint: 'Call take_snapshot again and use a uid from it.',
    });
  });
});
