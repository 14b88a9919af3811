// Script rules: none at all, or none with a blocked pattern; bounded.
import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { Failure } from '../../src/errors.ts';
import { checkScripts, scriptInUrl, scriptRules } from '../../src/policy/scripts.ts';

const refusal = (script: string, patterns: readonly string[], allowed = true): Failure | undefined => {
  try {
    checkScripts('evaluate', [script], scriptRules(allowed, patterns));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

const SEED = DIALECTS.vision.defaults.blockScripts;

describe('S3-25: the blocked patterns', () => {
  it.each([
    ['eval("1")', 'eval\\s*\\('],
    ['window.eval  (x)', 'eval\\s*\\('],
    ['new Function("return 1")', 'Function\\s*\\('],
    ['document.cookie', 'document\\.cookie'],
    ['localStorage.getItem("a")', 'localStorage'],
    ['window["sessionStorage"]', 'sessionStorage'],
    ['ev\\u0061l("1")', 'eval\\s*\\('],
    ['document.\\u{63}ookie', 'document\\.cookie'],
    ['window["local\\x53torage"]', 'localStorage'],
  ])('refuse %s', (script, pattern) => {
    const failure = refusal(script, SEED);
    expect(failure?.code).toBe('refused');
    expect(failure?.message).toBe(`Script contains blocked patterns: ${pattern}`);
    expect(failure?.rule).toBe(`blocked script pattern ${pattern}`);
  });

  it.each(['document.title', 'evaluate', 'medieval', 'a function () {}', '1 + 1'])('let %s pass', script => {
    expect(refusal(script, SEED)).toBeUndefined();
  });
});

it('refuses every script when scripts are off, and names the rule', () => {
  expect(refusal('1', [], false)).toMatchObject({ code: 'refused', rule: 'no scripts' });
  expect(() => checkScripts('wait', [], scriptRules(false, []))).not.toThrow();
});

it('refuses what is too long to be looked through, but only if there is something to look for', () => {
  const long = 'x'.repeat(200_001);
  expect(refusal(long, ['y'])).toMatchObject({ code: 'refused', rule: 'blocked script patterns' });
  expect(refusal(long, [])).toBeUndefined();
});

it('gives up a pattern that does not end, and refuses', () => {
  const started = performance.now();
  const failure = refusal(`${'a'.repeat(40)}!`, ['^(a+)+$']);
  expect(failure).toMatchObject({ code: 'refused', rule: 'blocked script patterns' });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(refusal('fine', ['x'])).toBeUndefined();
});

describe('a document in a url', () => {
  it.each([
    ['data:text/html,<script>eval(1)</script>', '<script>eval(1)</script>'],
    ['DATA:text/html;charset=utf-8,%3Cscript%3Eeval%28%29', '<script>eval()'],
    [`data:text/html;base64,${Buffer.from('<b>é</b>').toString('base64')}`, '<b>é</b>'],
    ['data:image/svg+xml,<svg onload="x()"/>', '<svg onload="x()"/>'],
    ['data:application/xhtml+xml,<a/>', '<a/>'],
  ])('is a script: %s', (url, text) => expect(scriptInUrl(url)).toBe(text));

  it.each([
    'https://a.example/?eval(1)',
    'data:,hello',
    'data:text/plain,eval(1)',
    'data:image/png;base64,AAAA',
    'about:blank',
  ])('is none: %s', url => expect(scriptInUrl(url)).toBeUndefined());
});
