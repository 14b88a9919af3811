// Secrets by their names: pages and frames of other origins, redirects that carry them on, other callers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readSeed, totpAt } from '../../src/policy/secrets/totp.ts';
import { found, SEED, shown, useSecrets, VALUE } from './secrets/echo.ts';

const all = useSecrets();

describe('15.3 a secret stays with its origins', () => {
  const FIELD = '<input id=pw><input id=second>';
  const page = (site: string, body: string) => `${site}/html?of=${encodeURIComponent(body)}`;
  const held = () =>
    all.kit.ok('evaluate', { expression: "[...document.querySelectorAll('input')].map(one => one.value).join()" });

  it.each([
    ['fill', { selector: '#pw', value: '{{secret:shop}}' }],
    ['type', { selector: '#pw', text: 'ann{{secret:shop}}' }],
    ['fill_form', { fields: [{ selector: '#pw', value: '{{secret:shop}}' }] }],
  ])('%s refuses another origin, and names both', async (tool, args) => {
    await all.kit.open(page(all.kit.site.otherSiteUrl, FIELD));
    const { text } = await all.kit.fails(tool, args);
    expect(text).toContain(
      `Secret "shop" is not for ${all.kit.site.otherSiteUrl}: it goes to ${all.kit.site.url} only.`,
    );
    expect(found(text)).toEqual([]);
    expect(await held()).not.toContain('Tr0ub');
  });

  it('a frame of another origin inside its page', async () => {
    await all.kit.open(page(all.kit.site.url, `<iframe src="${page(all.kit.site.otherSiteUrl, FIELD)}"></iframe>`));
    const snapshot = await all.kit.ok('snapshot');
    const ref = /textbox \[ref=(@e\d+)\]/.exec(snapshot)?.[1] ?? '';
    for (const [tool, args] of [
      ['fill', { selector: ref, value: '{{secret:shop}}' }],
      ['type', { selector: ref, text: '{{secret:shop}}' }],
      // Into what has the focus: that is the field in the frame now.
      ['type', { text: '{{secret:shop}}' }],
    ] as const)
      expect((await all.kit.fails(tool, args)).text).toContain(`Secret "shop" is not for ${all.kit.site.otherSiteUrl}`);
  });

  it('a sandboxed frame with its own address', async () => {
    await all.kit.open(
      page(all.kit.site.url, `<iframe sandbox="allow-scripts" src="${page(all.kit.site.url, FIELD)}"></iframe>`),
    );
    const ref = /textbox \[ref=(@e\d+)\]/.exec(await all.kit.ok('snapshot'))?.[1] ?? '';
    expect((await all.kit.fails('fill', { selector: ref, value: '{{secret:shop}}' })).text).toContain(
      'a page without an origin',
    );
  });

  it('its own frame inside a page of another origin takes it', async () => {
    await all.kit.open(page(all.kit.site.otherSiteUrl, `<iframe src="${page(all.kit.site.url, FIELD)}"></iframe>`));
    const ref = /textbox \[ref=(@e\d+)\]/.exec(await all.kit.ok('snapshot'))?.[1] ?? '';
    await all.kit.ok('fill', { selector: ref, value: '{{secret:shop}}' });
    await all.kit.ok('type', { selector: ref, text: '{{secret:shop}}' });
    expect(await all.kit.ok('snapshot')).toContain('[secret shop][secret shop]');
  });

  it('a frame that draws the focus to itself gets nothing', async () => {
    const thief = `<input id=thief><script>
      setInterval(() => thief.focus(), 1);
      thief.oninput = () => parent.postMessage(thief.value, '*');
    </script>`;
    await all.kit.open(
      page(
        all.kit.site.url,
        `<input id=pw><script>onmessage = ({ data }) => { document.title = 'stolen ' + data.length }</script>
         <iframe src="${page(all.kit.site.otherSiteUrl, thief)}"></iframe>`,
      ),
    );
    for (let left = 3; left > 0; left--) {
      await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}' });
      // Refused when the frame has the focus already.
      await all.kit.call('type', { selector: '#pw', text: '{{secret:shop}}' });
    }
    expect(await all.kit.ok('title')).not.toContain('stolen');
    // Ordinary text goes to whatever has the focus: the attack itself works.
    await all.kit.ok('type', { selector: '#pw', text: 'ordinary', delay: 20 });
    await expect.poll(() => all.kit.ok('title')).toContain('stolen');
  });

  it('a request goes to its origin only, and a redirect does not take it along', async () => {
    const { url, otherSiteUrl } = all.kit.site;
    const headers = { 'X-Key': 'Key {{secret:shop}}' };
    const sent = await all.kit.call('request', {
      url: `${url}/api/echo`,
      method: 'POST',
      headers,
      json: { deep: ['{{secret:shop}}'] },
    });
    expect(sent.text).toContain('[secret shop]');
    expect(found(shown(sent))).toEqual([]);
    expect(all.kit.site.requests.at(-1)).toMatchObject({
      headers: { 'x-key': `Key ${VALUE}` },
      body: JSON.stringify({ deep: [VALUE] }),
    });
    const refused = await all.kit.fails('request', { url: `${otherSiteUrl}/api/echo`, headers });
    expect(refused.text).toContain(`Secret "shop" is not for ${otherSiteUrl}`);
    const before = all.kit.site.requests.length;
    const away = `${url}/redirect?to=${encodeURIComponent(`${otherSiteUrl}/api/echo`)}`;
    await all.kit.ok('request', { url: away, method: 'POST', headers, body: '{{secret:shop}}' });
    expect(found(JSON.stringify(all.kit.site.requests.slice(before + 1)))).toEqual([]);
    const elsewhere = createServer((_, answer) =>
      answer.writeHead(307, { location: `${otherSiteUrl}/api/echo` }).end(),
    );
    const origin = await new Promise<string>(resolve =>
      elsewhere.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`)),
    );
    await all.keep(all.secret({ origins: [origin] }));
    const kept = await all.kit.fails('request', { url: origin, method: 'POST', body: '{{secret:shop}}' });
    elsewhere.close();
    expect(kept.text).toContain(`${origin} redirects to ${otherSiteUrl}, but the body holds a secret.`);
    expect((await all.kit.fails('request', { url: `${url}/api/echo?key={{secret:shop}}` })).text).toContain(
      'not into a url',
    );
  });
});

describe('15.3 a secret is for its callers', () => {
  const as = async (caller: string, value = '{{secret:shop}}') => {
    await all.kit.call('navigate', { url: `${all.kit.site.url}/html?of=<input id=pw>` }, { caller });
    return all.kit.call('fill', { selector: '#pw', value }, { caller });
  };

  it('another caller is refused, and is not told of it', async () => {
    const answer = await as('guest');
    expect([answer.ok, answer.text]).toEqual([false, 'There is no {{secret:shop}} for you.\nYou may use none.']);
    await all.keep(all.secret(), all.secret({ name: 'guests', callers: ['guest'], value: 'guest-value' }));
    expect((await as('guest')).text).toContain('You may use {{secret:guests}}.');
    expect((await as('guest', '{{secret:guests}}')).ok).toBe(true);
    expect((await as('guest2', '{{secret:guests}}')).ok).toBe(false);
  });

  it('the owner is told the names, and that a secret is no code', async () => {
    for (const value of ['{{secret:shob}}', '{{totp:shop}}'])
      expect((await as('local', value)).text).toContain(
        `There is no ${value} for you.\nYou may use {{secret:shop}}, {{totp:otp}}.`,
      );
  });

  it('who joins the session of its use sees it masked too', async () => {
    await all.kit.ok('session_create', { name: 'ours', shared: true });
    await all.kit.ok('navigate', { url: `${all.kit.site.url}/html?of=<input id=pw>`, session: 'ours' });
    await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}', session: 'ours' });
    const seen = await all.kit.call('evaluate', { expression: 'pw.value', session: 'ours@local' }, { caller: 'guest' });
    expect([seen.ok, found(shown(seen))], seen.text).toEqual([true, []]);
    expect(seen.text).toContain('[secret shop]');
  });

  it('a guest cannot try values: only who may use a secret, or is in its session, sees it masked', async () => {
    await as('local');
    await all.kit.call('navigate', { url: `${all.kit.site.url}/html?of=x` }, { caller: 'guest' });
    const guess = await all.kit.call('evaluate', { expression: JSON.stringify(VALUE) }, { caller: 'guest' });
    expect(guess.text).not.toContain('[secret');
    expect((await all.kit.call('evaluate', { expression: JSON.stringify(VALUE) })).text).toContain('[secret shop]');
  });
});

describe('15 codes of TOTP', () => {
  it('are typed into one field or one for each digit, and masked', async () => {
    const boxes = Array.from(
      { length: 6 },
      () => '<input maxlength=1 placeholder=- oninput="this.nextElementSibling?.focus()">',
    ).join('');
    await all.kit.open(`/html?of=${encodeURIComponent(`<div>${boxes}</div><p><input id=one></p>`)}`);
    await all.kit.ok('type', { selector: 'div :first-child', text: '{{totp:otp}}' });
    expect(
      await all.kit.ok('evaluate', {
        expression: "document.querySelectorAll('div :valid:not(:placeholder-shown)').length",
      }),
    ).toBe('6');
    const filled = await all.kit.call('fill', { selector: '#one', value: '{{totp:otp}}' });
    expect(filled.ok, filled.text).toBe(true);
    const seed = readSeed(SEED);
    if (!seed) throw new Error('no seed');
    const codes = [0, 30_000].map(ago => totpAt(seed, Date.now() - ago).code);
    const held = await all.kit.ok('evaluate', { expression: "one.value.split('').join(' ')" });
    expect(codes.map(code => code.split('').join(' '))).toContain(held);
    expect(await all.kit.ok('evaluate', { expression: 'one.value' })).toBe('[secret otp]');
  });
});
