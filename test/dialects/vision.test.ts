// The vision dialect as data (S3-01…S3-11): every argument has its place, and calls mean what its document says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adapterOf } from '../../src/dialects/adapter.ts';
import { namesIn, stepsOf, toolsOf } from '../../src/dialects/decode.ts';
import { encodeFailure, encodeText } from '../../src/dialects/encode.ts';
import { defaultIn } from '../../src/dialects/registry.ts';
import { spelledAs } from '../../src/dialects/spelling.ts';
import { DEFINITION as VISION } from '../../src/dialects/vision/definition.ts';
import { wordingFor } from '../../src/dialects/wording.ts';
import { Failure } from '../../src/errors.ts';
import type { Server } from '../../src/session/server.ts';
import { capital, noun, phrase, refName, TAKE_NEW_SNAPSHOT } from '../../src/text.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { unknownTool } from '../../src/tools/unknown-tool.ts';
import { bare, SEED_NAMES, SEED_TOOLS, safe } from './vision-tools.ts';

const adapter = adapterOf('vision', VISION);
const server = {} as Server;
const ours = (name: string, args: Record<string, unknown> = {}) => {
  const decoded = adapter.decode({ name, args, caller: { id: 'ann' }, server, tools: TOOLS });
  if (!decoded) throw unknownTool(adapter.toolNames, name);
  return decoded;
};
const meant = (name: string, args: Record<string, unknown> = {}) => {
  const { tool, args: given, session, mustExist } = ours(name, args);
  return { tool: tool.name, args: given, ...(session !== undefined && { session }), ...(mustExist && { mustExist }) };
};
function failure(name: string, args: Record<string, unknown> = {}): Failure {
  try {
    ours(name, args);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`${name} ${JSON.stringify(args)} was taken`);
}

describe('the table', () => {
  it('S3-01 has the eight tools, and no other', () => {
    expect(Object.keys(VISION.tools)).toEqual(SEED_NAMES);
    expect(SEED_NAMES).toHaveLength(8);
  });

  it.each(Object.entries(SEED_TOOLS))(
    '$1.id %s: parameters, types, values and defaults',
    (name, { properties, required }) => {
      const row = VISION.tools[name]!;
      expect(bare(row.arguments)).toEqual(properties);
      expect(row.required).toEqual(required);
      const mapped = row.cases
        .flatMap(stepsOf)
        .flatMap(({ args = {} }) => Object.values(args))
        .flatMap(namesIn);
      expect(Object.keys(properties).filter(arg => !mapped.includes(arg) && arg !== 'sessionId')).toEqual([]);
    },
  );

  it('S3-32 S3-33 leads only to tools of ours that navigate, look, act and run scripts: no files, PDF or downloads', () => {
    const reached = new Set(Object.values(VISION.tools).flatMap(toolsOf));
    expect([...reached].sort()).toEqual(
      ['click', 'evaluate', 'fill', 'navigate', 'screenshot', 'scroll', 'session_close', 'snapshot'].sort(),
    );
    const given = Object.values(VISION.tools)
      .flatMap(({ cases }) => cases.flatMap(stepsOf))
      .flatMap(({ args = {}, constants = {} }) => [...Object.keys(args), ...Object.keys(constants)]);
    expect(given).not.toContain('save_path');
  });

  it('S3-24 S3-25 carries its rules: https, and the blocked patterns of scripts', () => {
    const blockScripts = ['eval\\s*\\(', 'Function\\s*\\(', 'document\\.cookie', 'localStorage', 'sessionStorage'];
    expect(defaultIn('vision', 'blockScripts')).toEqual(blockScripts);
    const elsewhere = {
      options: { dialect: 'native' },
      rules: { scripts: { allowed: true, blocked: [] } },
    } as unknown as Server;
    expect(adapter.scriptRules(elsewhere).blocked.map(({ source }) => source)).toEqual(blockScripts);
    expect(defaultIn('vision', 'allowUrls')).toEqual(['^https://']);
    expect(defaultIn('native', 'allowUrls')).toBeUndefined();
  });

  it('names only tools of its own', () => {
    for (const [name, theirs] of Object.entries(VISION.names)) {
      expect(TOOLS.map(row => row.name)).toContain(name);
      expect(SEED_NAMES).toContain(theirs);
    }
  });
});

describe('a call', () => {
  it.each([
    [
      'S3-04',
      'browser.navigate',
      { url: 'https://a.test' },
      'navigate',
      { url: 'https://a.test', wait_until: 'networkidle', timeout: 30_000 },
    ],
    ['S3-05', 'browser.screenshot', {}, 'screenshot', { format: 'jpeg', full_page: false, with_snapshot: 'list' }],
    [
      'S3-13',
      'browser.screenshot',
      { selector: '#a', fullPage: true, includeAccessibilityTree: false },
      'screenshot',
      { format: 'jpeg', selector: '#a' },
    ],
    [
      'S3-06',
      'browser.click',
      { selector: '@e1' },
      'click',
      { selector: '@e1', wait_for_navigation: false, timeout: 5_000 },
    ],
    ['S3-07', 'browser.snapshot', {}, 'snapshot', { style: 'list', mode: 'full', compact: true }],
    [
      'S3-07',
      'browser.snapshot',
      { interactiveOnly: true, compact: false },
      'snapshot',
      { style: 'list', mode: 'interactive', compact: false },
    ],
    [
      'S3-08',
      'browser.fill',
      { selector: '#a', value: 'x', clearFirst: false },
      'fill',
      { selector: '#a', value: 'x', clear: false },
    ],
    ['S3-09', 'browser.scroll', {}, 'scroll', { direction: 'down', amount: 300 }],
    ['S3-10', 'browser.evaluate', { script: '1' }, 'evaluate', { expression: '1', args: [] }],
    ['S3-11', 'browser.close', {}, 'session_close', { all: true, graceful: true }],
    ['S3-11', 'browser.close', { sessionId: 'a', graceful: false }, 'session_close', { session: 'a', graceful: false }],
  ])('%s %s %j', (_id, name, args, to, expected) => {
    expect(meant(name, args)).toEqual({ tool: to, args: expected });
    expect(meant(safe(name), args)).toEqual({ tool: to, args: expected });
  });

  it('S3-16 takes sessionId for the session, which navigate and screenshot make', () => {
    expect(meant('browser.navigate', { url: 'https://a.test', sessionId: 'a' })).toMatchObject({ session: 'a' });
    expect(meant('browser.navigate', { url: 'https://a.test', sessionId: 'a' })).not.toHaveProperty('mustExist');
    expect(meant('browser.screenshot', { sessionId: 'a' })).not.toHaveProperty('mustExist');
    for (const name of ['browser.snapshot', 'browser.scroll'])
      expect(meant(name, { sessionId: 'a' })).toMatchObject({ session: 'a', mustExist: true });
    expect(meant('browser.snapshot')).not.toHaveProperty('session');
  });

  it('S3-33 reaches nothing by our own names, nor by arguments of ours', () => {
    for (const { name } of TOOLS) expect(failure(name).code).toBe('unknown_tool');
    for (const name of [
      'chrome_navigate',
      'browser.pdf',
      'browser.upload',
      'browser.download',
      'browser',
      '',
      'constructor',
      '__proto__',
    ])
      expect(failure(name).code).toBe('unknown_tool');
    expect(failure('browser.screenshot', { save_path: 'a.png' }).message).toBe(
      'browser.screenshot: unknown argument "save_path".',
    );
    expect(failure('browser.snapshot', { session: 'a' }).message).toMatch(
      /unknown argument "session" \(did you mean sessionId\?\)/,
    );
    expect(failure('browser.click', { selector: '#a', force: true }).code).toBe('bad_input');
  });

  it('S3-30 says what is wrong with its arguments, by their names', () => {
    expect(failure('browser_navigate', { waitUntil: 'soon', timeout: '5' })).toMatchObject({
      code: 'bad_input',
      message:
        'browser_navigate: url is missing (text); waitUntil must be one of "load", "domcontentloaded", "networkidle", got the text "soon"; timeout must be a number, got the text "5".',
      hint: 'browser_navigate takes: url (required), waitUntil, timeout, sessionId (optional).',
    });
    expect(failure('browser.screenshot', { includeAccessibilityTree: 'yes' }).message).toMatch(/must be true or false/);
    expect(failure('browser.fill', { selector: '#a', value: 5 }).message).toMatch(/value must be text, got 5/);
    expect(failure('browser.clik', {}).hint).toMatch(/^Did you mean browser\.click\b/);
  });

  it('S3-37 is answered with a call or a Failure, whatever it holds', () => {
    const names = [...SEED_NAMES, ...SEED_NAMES.map(safe)];
    const keys = [
      ...new Set(Object.values(SEED_TOOLS).flatMap(({ properties }) => Object.keys(properties))),
      '__proto__',
      'x',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (name, args) => {
        try {
          expect(TOOLS).toContain(ours(name, args).tool);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});

describe('its words', () => {
  const row = VISION.tools['browser.navigate']!;
  const wording = (name: string) => wordingFor(VISION, { call: { name, args: {} } }, undefined);
  it.each([
    [{ status: 200, reason: 'OK' }, 'Navigated to https://a.test (200 OK)'],
    [
      { status: 404, reason: 'Not Found', redirected: 'https://b.test/' },
      'Navigated to https://a.test (404 Not Found), redirected to https://b.test/',
    ],
    [{}, 'Navigated to https://a.test'],
    [
      { status: 200, reason: 'OK', unfinished: 'networkidle' },
      'Navigated to https://a.test (200 OK); still loading: networkidle has not fired',
    ],
  ])('S3-04 navigate %j', (data, text) => {
    const facts = { ...data, input: { url: 'https://a.test' } };
    expect(row.text?.(facts, { text: '', caused: '' })).toBe(text);
  });

  it('S3-30 name its tools in hints, in the spelling of the caller', () => {
    const stale = new Failure(
      'stale_ref',
      phrase`${refName(9)} is gone.`,
      phrase`${capital(TAKE_NEW_SNAPSHOT)} and use a ${noun('ref')} from it.`,
    );
    const said = (name: string) => encodeFailure(VISION, wording(name), stale);
    expect(said('browser.click')).toMatchObject({
      message: '@e9 is gone.',
      hint: 'Call browser.snapshot again and use a ref from it.',
    });
    expect(said('browser_click').hint).toBe('Call browser_snapshot again and use a ref from it.');
  });

  it('S3-16 keep the names of sessions, and say what begins one', () => {
    const told = encodeFailure(
      VISION,
      wording('browser_click'),
      new Failure('no_session', 'Session not found: tab_list', 'See session_list.'),
    );
    expect(told).toMatchObject({
      message: 'Session not found: tab_list',
      hint: 'Call browser_navigate or browser_screenshot with that sessionId: it begins the session.',
    });
    const denied = new Failure(
      'refused',
      'Access denied to session: click',
      phrase`Use another name, or leave "${noun('session')}" out.`,
    );
    expect(encodeFailure(VISION, wording('browser.click'), denied)).toMatchObject({
      message: 'Access denied to session: click',
      hint: 'Use another name, or leave "sessionId" out.',
    });
  });

  it('tell what an action caused, but not by tools that it has not', () => {
    const facts = {
      url: 'https://a.test',
      status: 200,
      reason: 'OK',
      dialog: { type: 'alert', message: 'Hi' },
      input: { url: 'https://a.test' },
    };
    expect(encodeText(wording('browser.navigate'), '', row, facts)).toBe(
      'Navigated to https://a.test (200 OK); alert dialog open: "Hi"',
    );
  });

  it('are spelled as the caller does', () => {
    expect(spelledAs(VISION, 'browser.click').names.snapshot).toBe('browser.snapshot');
    expect(spelledAs(VISION, 'browser_click').names.snapshot).toBe('browser_snapshot');
    expect(spelledAs(VISION, 'nothing').names.snapshot).toBe('browser.snapshot');
  });
});
