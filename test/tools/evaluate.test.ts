// Evaluate: expression, function, body; values, promises, bounds, secrets, frames, errors.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--max-chars', '100000');
  await show(kit, '<p id="p">Text</p><script>window.secret = { password: "hunter2-x9", name: "Ada" }</script>');
});
afterAll(() => kit.close());

const run = (expression: string, more = {}) => kit.ok('evaluate', { expression, ...more });

describe('S1-63 evaluate: what is run', () => {
  it.each([
    ['1 + 1', 2],
    ['"2"', '2'],
    ['true', true],
    ['null', null],
    ['undefined', undefined],
    ['({ a: [1, "b", null] })', { a: [1, 'b', null] }],
    ['[1, 2]', [1, 2]],
    ['NaN', undefined],
  ])('14.10 the structured value of %s has its type', async (expression, value) => {
    const { data } = await kit.call('evaluate', { expression });
    expect((data as { value?: unknown }).value).toEqual(value);
  });

  it.each([
    ['1', 'number'],
    ['"1"', 'string'],
    ['null', 'null'],
    ['undefined', 'undefined'],
    ['[1]', 'array'],
    ['({})', 'object'],
    ['1n', 'bigint'],
    ['new Date(0)', 'date'],
    ['document.body', 'node'],
  ])('14.10 the structured type of %s is %s', async (expression, type) => {
    expect((await kit.call('evaluate', { expression })).data).toMatchObject({ type });
  });

  it.each([
    ['1 + 1', '2'],
    ['document.title', 'Made'],
    ['({ a: [1, "b", null] })', '{"a":[1,"b",null]}'],
    ['{ a: 1 }', '{"a":1}'],
    ['const n = 4; n * 2', '8'],
    ['return document.querySelector("p").textContent', 'Text'],
    ['let n = 0; for (const x of [1, 2, 3]) n += x; return n', '6'],
    ['if (true) return "early"; return "late"', 'early'],
    ['() => location.protocol', 'data:'],
    ['function () { return 7 }', '7'],
    ['async () => { await null; return 8 }', '8'],
    ['await Promise.resolve(9)', '9'],
    ['const x = await Promise.resolve(10); return x', '10'],
    ['const y = await Promise.resolve(10); y + 1', '11'],
    ['let z = 12; new Promise(done => setTimeout(done, 30, z))', '12'],
    ['new Promise(done => setTimeout(done, 30, "later"))', 'later'],
    ['// only a comment\n5', '5'],
    ['"a;b"', 'a;b'],
    ['throw_ = 3, throw_', '3'],
  ])('%s', async (expression, value) => {
    expect(await run(expression)).toBe(value);
  });

  it.each([
    ['(a, b) => a + b', [2, 3], '5'],
    ['function (o) { return o.deep[0] }', [{ deep: ['x'] }], 'x'],
    ['(...all) => all.length', [1, null, 'three'], '3'],
    ['return args[0] * 2', [21], '42'],
    ['const n = args[0]; n * 2', [21], '42'],
    ['const n = await Promise.resolve(args[0]); n * 2', [21], '42'],
    ['async name => "hello " + name', ['</script>"\'`\u2028'], 'hello </script>"\'`\\u2028'],
  ])('args: %s', async (expression, args, value) => {
    expect(await run(expression, { args })).toBe(value);
  });

  it('args are no variable of the page', async () => {
    await run('let inner = args[0]; inner', { args: [1] });
    expect(await run('(0, eval)("[typeof args, typeof inner].join()")')).toBe('undefined,undefined');
  });

  it('variables of one call do not disturb the next', async () => {
    await run('const once = 1; once');
    expect(await run('const once = 2; once')).toBe('2');
    await run('let again = 1; return again');
    expect(await run('let again = 3; return again')).toBe('3');
  });
});

describe('S1-63 evaluate: values', () => {
  it.each([
    ['undefined', 'undefined'],
    ['null', 'null'],
    ['NaN', 'NaN'],
    ['-0', '-0'],
    ['Infinity', 'Infinity'],
    ['10n ** 20n', '100000000000000000000n'],
    ['""', ''],
    ['"line\\nline"', 'line\nline'],
    ['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['new Map([["a", 1]])', '{"a":1}'],
    ['new Set([1, 2])', '[1,2]'],
    ['[undefined, () => 1]', /\[null,"function/],
    ['document.querySelector("p")', /<p#p>/],
    ['document.querySelectorAll("p")', /\["<p#p>"\]/],
    ['const o = {}; o.self = o; o', /seen above/],
    ['window', /window/i],
    ['Symbol("s")', 'Symbol(s)'],
    ['new Error("boom")', /boom/],
    ['({ n: NaN, i: Infinity })', /NaN|null/],
  ])('%s', async (expression, value) => {
    const text = await run(expression);
    if (typeof value === 'string') expect(text).toBe(value);
    else expect(text).toMatch(value);
  });

  it('await_promise: false shows the promise as such', async () => {
    expect(await run('Promise.resolve(1)', { await_promise: false })).toMatch(/Promise/);
    expect(await run('let p = Promise.resolve(1); p', { await_promise: false })).toMatch(/Promise/);
    const { ms } = await kit.call('evaluate', { expression: 'new Promise(() => {})', await_promise: false });
    expect(ms).toBeLessThan(4_000);
  });

  it('return_by_value: false describes the object', async () => {
    expect(await run('document.querySelector("p")', { return_by_value: false })).toMatch(/p#p/);
    expect(await run('[1, 2, 3]', { return_by_value: false })).toBe('Array(3)');
    expect(await run('({ a: 1 })', { return_by_value: false })).toBe('Object');
  });

  it('S1-96 max_output_size cuts by bytes, never inside a character, and says how much there is', async () => {
    const text = await run('"€".repeat(1000)', { max_output_size: 100 });
    expect(text).toMatch(/^€{33}\n… cut: 3000 bytes in all/);
    expect(await run('"x".repeat(60000)')).toMatch(/cut: 60000 bytes/);
  });

  it('S1-96 sanitize masks secrets, also in errors and before the cut; false shows them', async () => {
    expect(await run('secret')).toBe('{"password":"[redacted]","name":"Ada"}');
    expect(await run('secret', { return_by_value: false })).toBe('Object');
    expect(await run('secret', { sanitize: false })).toContain('hunter2-x9');
    expect(await run('secret', { max_output_size: 20 })).not.toContain('hunter');
    const expression = 'throw new Error(JSON.stringify(secret))';
    expect((await kit.fails('evaluate', { expression })).text).toContain('[redacted]');
    expect((await kit.fails('evaluate', { expression, sanitize: false })).text).toContain('hunter2-x9');
  });
});

describe('S1-63 evaluate under the default budget of answers', () => {
  let small: Kit;
  beforeAll(async () => {
    small = await startKit();
  });
  afterAll(() => small.close());

  it('S1-96 max_output_size, when given, may be more than that', async () => {
    const expression = '"x".repeat(60000)';
    const text = await small.ok('evaluate', { expression });
    expect(text).toMatch(/^x{51200}\n… cut: 60000 bytes in all \(give max_output_size\)$/);
    expect(await small.ok('evaluate', { expression, max_output_size: 51_200 })).toMatch(
      /^x{51200}\n… cut: 60000 bytes/,
    );
    expect(await small.ok('evaluate', { expression, max_output_size: 60_000 })).toMatch(/^x{60000}$/);
  });
});

describe('S1-63 evaluate: places, errors, time', () => {
  it('S1-14 frameId: in the frame, also of another site', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    expect(await run('location.origin', { frameId })).toBe(kit.site.otherSiteUrl);
    expect(await run('location.origin', { frameId: 0 })).toBe(kit.site.url);
    expect((await kit.fails('evaluate', { expression: '1', frameId: 99 })).code).toBe('no_frame');
  });

  it('tabId: in a tab behind', async () => {
    await kit.open('/article.html');
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number }[] };
    await kit.ok('tab_new');
    expect(await run('location.pathname', { tabId: tabs[0]?.tabId })).toBe('/article.html');
    await kit.ok('tab_close');
  });

  it.each([
    ['throw new TypeError("wrong")', /threw: TypeError: wrong/],
    ['throw "only text"', /only text/],
    ['nowhere.at.all', /nowhere is not defined/],
    ['Promise.reject(new Error("rejected"))', /rejected/],
    ['let r = 1; Promise.reject(new Error("rejected " + r))', /rejected 1/],
    ['this is no script', /SyntaxError/],
    ['(', /SyntaxError/],
    ['({).}', /SyntaxError/],
    ['() => { throw new Error("inner") }', /inner/],
  ])('%s: script_error with the message', async (expression, said) => {
    const { code, text } = await kit.fails('evaluate', { expression });
    expect(code).toBe('script_error');
    expect(text).toMatch(said);
    expect(text.split('\n').length).toBeLessThanOrEqual(5);
  });

  it('timeout: an endless loop is stopped and the page lives on', async () => {
    const result = await kit.call('evaluate', { expression: 'while (true) {}', timeout: 700 });
    expect(result.failure?.code).toMatch(/timeout|page_unresponsive/);
    expect(result.ms).toBeLessThan(4_000);
    expect(await run('1 + 1')).toBe('2');
  });

  it('timeout: a promise that never settles', async () => {
    const result = await kit.call('evaluate', { expression: 'new Promise(() => {})', timeout: 500 });
    expect(result.failure?.code).toBe('timeout');
    expect(await run('2 + 2')).toBe('4');
  });

  it('a script that leaves the page, opens a dialog or hurts built-ins does not break the next call', async () => {
    await kit.open('/article.html');
    await kit.call('evaluate', { expression: 'location.href = "/signup.html"' });
    await kit.ok('wait', { for: 'url', url: '**/signup.html' });
    await kit.call('evaluate', { expression: 'JSON.stringify = () => { throw 1 }; Array.prototype.map = null; 1' });
    expect(await kit.ok('snapshot')).toContain('Sign up');
    await kit.ok('click', { selector: await kit.ref('textbox "Email"') });
  });
});
