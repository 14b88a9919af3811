// What the journal keeps of arguments, and what is taken out of a script's output (S1-96).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskArgs, REDACTED, redact } from '../../src/policy/mask.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ sub: '1234567890' })}.dBjftJeZ4CVPmB92K27uhbUJU1p1r`;
// Put together here, so that no scanner takes this file for a leak.
const key = (...parts: string[]) => parts.join('');

describe('maskArgs', () => {
  it('keeps only the length of what is typed', () => {
    expect(maskArgs({ selector: '@e1', value: 'hunter2 hunter2' }, ['value'])).toEqual({
      selector: '@e1',
      value: '‹15 chars›',
    });
    expect(maskArgs({ text: 'abc', delay: 5 }, ['text'])).toEqual({ text: '‹3 chars›', delay: 5 });
    expect(maskArgs({ auto_handle: { prompt_default_text: 'x' } }, ['prompt_default_text'])).toEqual({
      auto_handle: { prompt_default_text: '‹1 chars›' },
    });
  });

  it('masks every key that speaks of a secret, at any depth', () => {
    const headers = { Authorization: 'Basic x', 'X-Api-Key': 'k', cookie: 'a=b', accept: 'text/html' };
    expect(maskArgs({ headers, list: [{ clientSecret: { a: 1 }, newPassword: 5, token: null }] })).toEqual({
      headers: { Authorization: '‹7 chars›', 'X-Api-Key': '‹1 chars›', cookie: '‹3 chars›', accept: 'text/html' },
      list: [{ clientSecret: '‹masked›', newPassword: '‹masked›', token: null }],
    });
  });

  it('redacts secrets inside other values', () => {
    expect(maskArgs({ url: 'https://example.com/?access_token=abc123&page=2' })).toEqual({
      url: `https://example.com/?access_token=${REDACTED}&page=2`,
    });
  });

  it('stays small and never fails, whatever it is given', () => {
    const shared = (args: unknown) => JSON.stringify(maskArgs(args)) ?? '';
    fc.assert(fc.property(fc.anything({ withBigInt: true }), args => void shared(args)));
    const huge = { text: 'x'.repeat(1e6), list: Array(1e5).fill('y'.repeat(1_000)) };
    expect(shared(huge).length).toBeLessThan(100_000);
    const round: Record<string, unknown> = {};
    round.self = round;
    expect(shared(round)).toContain('…');
  });

  it('never shows the value of a secret key', () => {
    const names = fc.constantFrom('password', 'user_password', 'apiKey', 'auth-token', 'Set-Cookie', 'client_secret');
    const value = fc.uuid();
    fc.assert(
      fc.property(names, value, fc.integer({ min: 0, max: 4 }), (name, secret, depth) => {
        let args: unknown = { [name]: secret };
        for (let level = 0; level < depth; level++) args = level % 2 ? [args] : { args };
        expect(JSON.stringify(maskArgs(args))).not.toContain(secret);
      }),
    );
  });
});

describe('redact', () => {
  it.each([
    [`jwt ${JWT}!`, `jwt ${REDACTED}!`],
    ['Authorization: Bearer abcDEF123456.xyz-7', `Authorization: Bearer ${REDACTED}`],
    [`Basic ${Buffer.from('ann:pa55word').toString('base64')}`, `Basic ${REDACTED}`],
    ['{"password":"hun\\"ter2","user":"ann"}', `{"password":"${REDACTED}","user":"ann"}`],
    ['{"userPassword": "x y z"}', `{"userPassword": "${REDACTED}"}`],
    ['"{\\"api_key\\":\\"abc\\"}"', `"{\\"api_key\\":\\"${REDACTED}\\"}"`],
    ["{ clientSecret: 'abc' }", `{ clientSecret: '${REDACTED}' }`],
    ['{"password": 123456}', `{"password": "${REDACTED}"}`],
    ['?access_token=abc&x=1', `?access_token=${REDACTED}&x=1`],
    ['API_KEY=abc\nHOME=/x', `API_KEY=${REDACTED}\nHOME=/x`],
    ['password: hunter2', `password: ${REDACTED}`],
    ['Set-Cookie: sid=abc123; Path=/; HttpOnly', `Set-Cookie: sid=${REDACTED}; Path=/; HttpOnly`],
    ['{"set-cookie":"sid=abc; Path=/"}', `{"set-cookie":"sid=${REDACTED}; Path=/"}`],
    ['Cookie: a=1; b=2\nHost: x', `Cookie: a=${REDACTED}; b=${REDACTED}\nHost: x`],
    ['JSESSIONID=0A1B; theme=dark', `JSESSIONID=${REDACTED}; theme=dark`],
    [key('AKIA', 'IOSFODNN7EXAMPLE'), REDACTED],
    [key('ghp_', 'a1B2'.repeat(9)), REDACTED],
    [key('github_pat_', 'a1B2_'.repeat(6)), REDACTED],
    [key('xoxb-', '123456789012-abcdef'), REDACTED],
    [key('sk-', 'proj-Ab12Cd34Ef56Gh78Ij90'), REDACTED],
    [key('sk_live_', 'a1B2'.repeat(6)), REDACTED],
    ['https://ann:s3cret@example.com/x', `https://ann:${REDACTED}@example.com/x`],
    ['<input type="password" name=p value="abc">', `<input type="password" name=p value="${REDACTED}">`],
    ['"<input type=\\"password\\" value=\\"abc\\">"', `"<input type=\\"password\\" value=\\"${REDACTED}\\">"`],
    ['"Set-Cookie: sid=abc\\nHost: x"', `"Set-Cookie: sid=${REDACTED}\\nHost: x"`],
    ["<meta name='csrf-token' content='abc'>", `<meta name='csrf-token' content='${REDACTED}'>`],
    [key('a\n-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE\n-----END RSA ', 'PRIVATE KEY-----\nb'), `a\n${REDACTED}\nb`],
    [key('-----BEGIN ', 'PRIVATE KEY-----\nMIIE (cut'), REDACTED],
  ])('%j → %j', (text, clean) => expect(redact(text)).toBe(clean));

  it.each([
    'Forgot your password? Enter a new password: at least eight characters.',
    'Password: required',
    'Token: expired. Secret: the story of a garden.',
    'The bearer of this letter, and Bearer responsibilities in general',
    'Basic authentication, Basic JavaScript, Basic information',
    '{"token_type":"Bearer","max_tokens":4096,"tokens":["a","b"],"cookie_policy":"strict"}',
    '{"password":"","token":null,"secret":false}',
    'class="sk-circle-fade-dot sk-very-long-class-name-here"',
    'We use cookies. Cookie: see our policy.',
    'https://example.com/a:b/c@2x.png and mailto:ann@example.com',
    'if (password == null || token === undefined) return;',
    'password=null&token=undefined',
    '<input type="text" name="city" value="Oslo"><meta name="author" content="Ann">',
    'ISBN 978-3-16-148410-0, 550e8400-e29b-41d4-a716-446655440000, 2024-05-01T10:00:00Z',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4',
  ])('leaves %j alone', text => expect(redact(text)).toBe(text));

  it('leaves ordinary words alone', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzäß'), minLength: 1, maxLength: 12 });
    const text = fc.array(fc.oneof(word, fc.constantFrom('password', 'token', 'Bearer', 'cookie', 'Secret'), fc.nat()));
    const joint = fc.constantFrom(' ', '. ', ', ', '\n', ' – ');
    fc.assert(
      fc.property(text, joint, (words, mark) => {
        expect(redact(words.join(mark))).toBe(words.join(mark));
      }),
    );
  });

  it('hides a value after a secret key in every notation', () => {
    const name = fc.constantFrom('password', 'newPassword', 'access_token', 'x-api-key', 'CLIENT_SECRET', 'password2');
    const notation = fc.constantFrom<(k: string, v: string) => string>(
      (k, v) => JSON.stringify({ user: 'ann', [k]: v }),
      (k, v) => JSON.stringify(JSON.stringify({ [k]: v, user: 'ann' })),
      (k, v) => `https://example.com/?a=1&${k}=${v}`,
      (k, v) => `${k}=${v}\n`,
      (k, v) => `${k} = "${v}"`,
      (k, v) => `{${k}: '${v}'}`,
      (k, v) => `${k}: ${v}`,
    );
    fc.assert(
      fc.property(name, fc.uuid(), notation, fc.string(), (k, v, write, before) => {
        expect(redact(`${before}\n${write(k, v)}`)).not.toContain(v);
      }),
    );
  });

  it('leaves JSON readable, with all that is no secret', () => {
    const name = fc.constantFrom('password', 'apiKey', 'refresh_token', 'a', 'user', 'tokens', 'size');
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'B', '7', ' ', '"', '\\', '\n', ':', '=', '@', '/', ';') }),
      fc.constantFrom('Set-Cookie: a=b', 'Bearer abc12345678xyz', 'password="x"', 'token=abc', JWT, 'http://a:b@c'),
      fc.constantFrom('<input type="password" value="x">', '{"secret":"x"}', 'Cookie: a=1; b="2"', '-----BEGIN '),
    );
    const { object } = fc.letrec(tie => ({
      object: fc.dictionary(name, tie('value')),
      value: fc.oneof({ maxDepth: 3 }, text, fc.nat(), fc.boolean(), fc.constant(null), tie('object')),
    }));
    fc.assert(
      fc.property(object, fc.nat(2), (value, indent) => {
        const clean = JSON.parse(redact(JSON.stringify({ list: [value], kept: 'kept' }, null, indent)));
        expect(clean.kept).toBe('kept');
        expect(Object.keys(clean.list[0])).toEqual(Object.keys(value as object));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['eyJ-'],
    ['password="'],
    ['"password":"\\'],
    ['token = a1'],
    ['set-cookie: a'],
    ['cookie: a='],
    ['://a:'],
    ['<input type="password" value='],
    ['Bearer aaaaaaaaaaaaa'],
    ['-----BEGIN PRIVATE KEY-----'],
    ['a.-_'],
    ['sk-aaaa'],
  ])('takes linear time on many %j', piece => {
    const text = piece.repeat(Math.ceil(200_000 / piece.length));
    const started = performance.now();
    redact(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
