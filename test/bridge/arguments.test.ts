// The command line: global flags and their order (S0-06, S0-07, S0-08, S0-09), arguments that are refused (S0-10, S0-11).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMON_INPUT, globalArgs, sanitizeArg, sanitizeArgs, sessionName } from '../../src/bridge/cli/arguments.ts';
import { ARG_LIMIT, ARGV_LIMIT, COMMAND_LINE_LIMIT } from '../../src/bridge/constants.ts';
import type { CliGlobalOptions } from '../../src/bridge/types.ts';
import { settingsFor } from './kit.ts';

const argsOf = (globals: CliGlobalOptions, env = {}, defaults: CliGlobalOptions = {}) =>
  globalArgs(globals, { ...settingsFor('/here', env), defaults });

describe('global options', () => {
  it('S0-07 become flags in one order', () => {
    const all = {
      session: 's1',
      cdp_port: 9222,
      headed: true,
      debug: true,
      executable_path: '/opt/chrome',
      json: true,
    };
    const flags = [
      '--session',
      's1',
      '--cdp',
      '9222',
      '--headed',
      '--debug',
      '--executable-path',
      '/opt/chrome',
      '--json',
    ];
    expect(argsOf(all)).toEqual(flags);
    expect(argsOf(Object.fromEntries(Object.entries(all).reverse()))).toEqual(flags);
  });

  it.each<[CliGlobalOptions, string[]]>([
    [{}, ['--json']],
    [{ json: true }, ['--json']],
    [{ json: false }, []],
    [{ headed: false, debug: false }, ['--json']],
    [{ headed: true }, ['--headed', '--json']],
    [{ debug: true }, ['--debug', '--json']],
    [{ session: 'a', json: false }, ['--session', 'a']],
    [{ cdp_port: 1, json: false }, ['--cdp', '1']],
    [{ executable_path: 'C:\\x.exe', json: false }, ['--executable-path', 'C:\\x.exe']],
    [{ timeout_ms: 5, json: false }, []],
  ])('S0-09 %j gives %j', (globals, flags) => expect(argsOf(globals)).toEqual(flags));

  it('S0-08 session comes from the environment when no call names one', () => {
    expect(argsOf({ json: false }, { AGENT_BROWSER_SESSION: 'env' })).toEqual(['--session', 'env']);
    expect(argsOf({ json: false }, { AGENT_BROWSER_SESSION: '  env ' })).toEqual(['--session', 'env']);
    expect(argsOf({ json: false }, { AGENT_BROWSER_SESSION: ' ' })).toEqual([]);
    expect(argsOf({ json: false, session: 'own' }, { AGENT_BROWSER_SESSION: 'env' })).toEqual(['--session', 'own']);
  });

  it('S0-08 a session of the environment that cannot be one is refused', () => {
    expect(() => argsOf({}, { AGENT_BROWSER_SESSION: '../x' })).toThrow(/AGENT_BROWSER_SESSION/);
  });

  it('S0-07 of the operator hold unless a call says otherwise', () => {
    const own = { headed: true, executable_path: '/opt/chrome' };
    expect(argsOf({ json: false }, {}, own)).toEqual(['--headed', '--executable-path', '/opt/chrome']);
    expect(argsOf({ json: false, headed: false, executable_path: '/x' }, {}, own)).toEqual(['--executable-path', '/x']);
    expect(argsOf({ json: false, headed: undefined }, {}, own)).toContain('--headed');
  });

  it('S0-51 name the session that a call waits for', () => {
    const settings = settingsFor('/here', { AGENT_BROWSER_SESSION: 'env' });
    expect([
      sessionName({ session: 'a' }, settings),
      sessionName({}, settings),
      sessionName({}, settingsFor('/')),
    ]).toEqual(['a', 'env', undefined]);
  });
});

describe('their schema', () => {
  const schema = z.strictObject(COMMON_INPUT);
  it('S0-06 S0-47 fills in what is left out', () =>
    expect(schema.parse({})).toEqual({ json: true, timeout_ms: 60_000 }));

  it.each([
    { session: '' },
    { session: 'a/b' },
    { session: '..' },
    { session: '-x' },
    { session: 'a b' },
    { session: 'x'.repeat(65) },
    { cdp_port: 0 },
    { cdp_port: 70_000 },
    { cdp_port: 1.5 },
    { cdp_port: '9222' },
    { headed: 'yes' },
    { debug: 1 },
    { executable_path: '' },
    { executable_path: '--args' },
    { json: 'true' },
    { timeout_ms: 0 },
    { timeout_ms: -1 },
    { timeout_ms: 3_600_001 },
    { save_output_path: '' },
    { unknown: 1 },
  ])('S0-06 refuses %j', input => expect(schema.safeParse(input).success).toBe(false));

  it.each([
    { session: 'a' },
    { session: 'My_session-2.b' },
    { cdp_port: 65_535 },
    { executable_path: '/usr/bin/chromium' },
    { timeout_ms: 1 },
    { save_output_path: 'out/a.json' },
  ])('S0-06 takes %j', input => expect(schema.parse(input)).toMatchObject(input));
});

describe('arguments', () => {
  it('S0-10 with a NUL are refused, wherever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(() => sanitizeArg(`${before}\0${after}`)).toThrow(/NUL/);
      }),
    );
  });

  it('S0-11 of the longest length pass, of one more do not', () => {
    expect(sanitizeArg('x'.repeat(ARG_LIMIT))).toHaveLength(ARG_LIMIT);
    expect(() => sanitizeArg('x'.repeat(ARG_LIMIT + 1))).toThrow(/16385 characters/);
  });

  it('S0-11 pass unchanged otherwise', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter(text => !text.includes('\0')),
          { maxLength: 20 },
        ),
        args => {
          expect(sanitizeArgs(args)).toEqual(args);
        },
      ),
    );
  });

  it('S0-11 are bounded together too', () => {
    expect(() => sanitizeArgs(Array(ARGV_LIMIT + 1).fill('x'))).toThrow(/At most 100/);
    expect(() => sanitizeArgs(Array(9).fill('x'.repeat(ARG_LIMIT)))).toThrow(String(COMMAND_LINE_LIMIT));
  });
});
