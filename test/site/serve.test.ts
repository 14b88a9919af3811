// The test site itself: its routes answer as promised, its pages are whole, and closing leaves nothing behind.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_REQUESTS, pageNames, type Site, startSite } from './serve.ts';
import { pageStates } from './states.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const get = (path: string, init?: RequestInit) => fetch(site.url + path, init);

describe('routes', () => {
  test('the same pages at two sites, with the address of the other one filled in', async () => {
    const path = '/signup-in-cross-origin-iframe.html';
    const here = await (await get(path)).text();
    expect(here).toContain(`src="${site.otherSiteUrl}/signup.html"`);
    expect(new URL(site.otherSiteUrl).hostname).toBe('localhost');
    expect(await (await fetch(site.otherSiteUrl + path)).text()).toBe(here);
  });

  test('sign-up shows what was posted, escaped, but not the password', async () => {
    const body = new URLSearchParams({
      name: '<Ada>',
      email: 'a@b.c',
      password: 'hunter2',
      country: 'jp',
      terms: 'yes',
    });
    const text = await (await get('/signup', { method: 'POST', body })).text();
    expect(text).toContain('&lt;Ada&gt;');
    expect(text).toContain('<dd id="password">set</dd>');
    expect(text).not.toContain('hunter2');
    expect(site.requests.at(-1)).toMatchObject({ method: 'POST', url: '/signup', body: body.toString() });
  });

  test.for([
    ['/status/404', 404, 'Status 404'],
    ['/nothing-here', 404, 'Not found'],
    ['/constructor', 404, 'Not found'],
    ['/slow?ms=5', 200, 'Answered after 5 ms'],
    ['/redirect?to=/article.html', 200, 'On walking'],
    ['/download/report.csv', 200, 'February,30'],
    ['/api/echo', 200, '"method":"GET"'],
  ] as const)('%s', async ([path, status, part]) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(part)]);
  });

  test('rows and big pages have as many elements as asked', async () => {
    expect((await (await get('/rows?n=7')).text()).match(/<input/g)).toHaveLength(7);
    expect((await (await get('/big?n=250')).text()).match(/<(section|p|button)\b/g)).toHaveLength(250);
  });

  test('a body that is too large is refused', async () => {
    expect((await get('/api/echo', { method: 'POST', body: 'x'.repeat(2 << 20) })).status).toBe(413);
  });

  test('only the latest requests are kept', async () => {
    await Promise.all(Array.from({ length: MAX_REQUESTS + 5 }, () => get('/favicon.ico')));
    expect(site.requests).toHaveLength(MAX_REQUESTS);
  });
});

test('closing ends the connections that would never end', async () => {
  const other = await startSite();
  const silent = fetch(`${other.url}/never-answers`);
  const endless = await fetch(`${other.url}/never`);
  const closed = Promise.all([expect(silent).rejects.toThrow(), expect(endless.text()).rejects.toThrow()]);
  await other.close();
  await closed;
});

describe('pages', () => {
  test('are many, and the states name pages that exist', () => {
    expect(pageNames.length).toBeGreaterThanOrEqual(45);
    expect(pageStates.filter(({ page }) => !pageNames.includes(page))).toEqual([]);
  });

  test.for([...pageNames])('%s is a whole document that needs no network', async name => {
    const text = await readFile(new URL(`./pages/${name}`, import.meta.url), 'utf8');
    expect(text).toMatch(
      /^<!doctype html>\n<html lang="[a-z]+"[^>]*>\n<head>[^]*<meta charset="utf-8">[^]*<title>.+<\/title>/,
    );
    expect(text).not.toMatch(/\b(?:src|srcset|action)="(?:https?:)?\/\//);
    expect(text).not.toMatch(/<link\b|@import|url\("?https?:/);
  });
});
