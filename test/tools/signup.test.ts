// The core loop: a sign-up form filled by refs, wherever the form may be.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** The refs of the form's lines, out of one snapshot. */
async function refs(): Promise<Record<string, string>> {
  const text = await kit.ok('snapshot');
  return Object.fromEntries(
    [...text.matchAll(/- \w+ "([^"]+)" \[ref=(@e\d+)\]/g)].map(([, name = '', ref = '']) => [name, ref]),
  );
}

async function fillForm(): Promise<string> {
  const form = await refs();
  await kit.ok('fill', { selector: form['Full name'], value: 'Ada Lovelace' });
  await kit.ok('fill', { selector: form.Email, value: 'ada@example.com' });
  await kit.ok('fill', { selector: form.Password, value: 'not told 42' });
  await kit.ok('select', { selector: form.Country, label: 'Japan' });
  await kit.ok('check', { selector: form['I accept the terms'] });
  return kit.ok('click', { selector: form['Sign up'] });
}

const posted = () => new URLSearchParams(kit.site.requests.findLast(request => request.url === '/signup')?.body);

describe('S1-03 sign-up by refs', () => {
  it.each([
    ['in the page', '/signup.html'],
    ['S1-14 in a frame', '/signup-in-iframe.html'],
    ['S1-14 in a frame of another site and process', '/signup-in-cross-origin-iframe.html'],
    ['in an open shadow root', '/signup-open-shadow.html'],
    ['in a closed shadow root', '/signup-closed-shadow.html'],
  ])('%s', async (_place, path) => {
    kit.site.requests.length = 0;
    await kit.open(path);
    await fillForm();
    const page = await kit.ok('snapshot');
    for (const words of ['Welcome, Ada Lovelace', 'ada@example.com', 'jp', 'yes', 'set']) expect(page).toContain(words);
    expect(Object.fromEntries(posted())).toEqual({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      password: 'not told 42',
      country: 'jp',
      terms: 'yes',
    });
  });

  it.each(['/signup.html', '/signup-open-shadow.html', '/signup-closed-shadow.html'])(
    'S1-29 the click that submits %s says where it led',
    async path => {
      await kit.open(path);
      expect(await fillForm()).toMatch(
        /^Clicked @e\d+ button "Sign up"; now at http:\/\/127\.0\.0\.1:\d+\/signup "Welcome"\.$/,
      );
    },
  );

  it('each step answers one short line', async () => {
    await kit.open('/signup.html');
    const form = await refs();
    expect(await kit.ok('fill', { selector: form['Full name'], value: 'Ada' })).toBe(
      `Filled ${form['Full name']} textbox "Full name".`,
    );
    expect(await kit.ok('select', { selector: form.Country, value: 'ke' })).toBe(
      `Selected "Kenya" in ${form.Country} combobox "Country".`,
    );
    expect(await kit.ok('check', { selector: form['I accept the terms'] })).toBe(
      `Checked ${form['I accept the terms']} checkbox "I accept the terms".`,
    );
  });

  it('an incomplete form is not sent, and the page still shows it', async () => {
    await kit.open('/signup.html');
    kit.site.requests.length = 0;
    await kit.ok('click', { selector: (await refs())['Sign up'] });
    expect(await kit.ok('url')).toMatch(/signup\.html$/);
    expect(kit.site.requests.filter(request => request.url === '/signup')).toHaveLength(0);
  });

  it('the same form by selectors in a frame of another site, S1-05', async () => {
    await kit.open('/signup-in-cross-origin-iframe.html');
    await kit.ok('fill', { selector: 'label:Full name', value: 'Grace' });
    await kit.ok('fill', { selector: 'label:Email', value: 'grace@example.com' });
    await kit.ok('fill', { selector: '#password', value: 'cobol 1959' });
    await kit.ok('fill', { selector: 'role:combobox', value: 'Kenya' });
    await kit.ok('fill', { selector: 'text:I accept the terms', value: 'true' });
    await kit.ok('click', { selector: '//button' });
    expect(await kit.ok('snapshot')).toContain('Welcome, Grace');
  });
});
