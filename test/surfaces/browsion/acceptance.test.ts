// What an acceptance test found on the service, tried as a new user would: over plain HTTP, on pages of one's own.
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../site/serve.ts';
import { type Browser, browserOf } from './journey.ts';
import { Service } from './service.ts';

let service: Service;
let site: Site;
let browser: Browser;

beforeAll(async () => {
  site = await startSite();
  service = await new Service({ env: { DISPLAY: '', WAYLAND_DISPLAY: '' } }).ready();
  await service.launch('main');
  browser = browserOf(service, 'main');
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await site?.close();
});

const show = (html: string) => browser.open(`${site.url}/html?of=${encodeURIComponent(html)}`);
interface Node {
  ref_id: string;
  role: string;
  name: string;
  description?: string;
  selected?: true;
}

describe('14.18 what a page says and offers', () => {
  const PAGE = `<title>Order</title><h1>Order</h1><div>Total: 42 EUR</div>
    <p>Thank you, <b>Ada</b>.</p><section aria-label="Results">3 found</section>
    <select aria-label="Size"><option>Small</option><option selected>Large</option><option disabled>Huge</option></select>`;

  it.each(['page_state', 'ax_tree'])('14.18 %s lists plain text and options', async path => {
    await show(PAGE);
    const body = await browser.look<Node[] & { ax_tree: Node[] }>(path);
    const nodes = path === 'ax_tree' ? body : body.ax_tree;
    expect(nodes.map(({ role, name }) => `${role} ${name}`)).toEqual([
      'heading Order',
      'text Total: 42 EUR',
      'paragraph Thank you, Ada.',
      'region Results',
      'combobox Size',
      'option Small',
      'option Large',
      'option Huge',
    ]);
    expect(nodes.filter(({ role }) => role === 'option')).toEqual([
      { ref_id: expect.any(String), role: 'option', name: 'Small' },
      { ref_id: expect.any(String), role: 'option', name: 'Large', selected: true },
      { ref_id: expect.any(String), role: 'option', name: 'Huge', disabled: true },
    ]);
    expect(nodes.find(({ role }) => role === 'region')?.description).toBe('3 found');
  });

  it('14.18 text in view comes before links that are not', async () => {
    const links = Array.from({ length: 150 }, (_, i) => `<p><a href="#${i}">Link ${i}</a></p>`).join('');
    await show(`<div>Answer: yes</div>${links}`);
    expect(await browser.ref('Answer: yes')).toMatch(/^e\d+$/);
  });

  it('14.18 the ref of a text is its element', async () => {
    await show(`<div onmouseover="document.title = 'over'">Total: 42 EUR</div>`);
    await browser.ask('hover', { selector: await browser.ref('Total: 42 EUR') });
    await expect.poll(() => browser.js('document.title')).toBe('over');
  });
});

describe('14.20 the service', () => {
  it('14.20 its OpenAPI document and its page show its own paths', async () => {
    const { body } = await service.http('GET', '/api/openapi.json');
    const { paths } = body as { paths: Record<string, object> };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/profiles', '/api/launch/{profile_id}', '/api/browser/{profile_id}/navigate']),
    );
    const api = await SwaggerParser.validate(structuredClone(body) as Parameters<typeof SwaggerParser.validate>[0]);
    expect(api.info.title).toBe('Tabwright');
    const page = await service.http('GET', '/api/docs');
    expect(page.body).toContain('/api/browser/{profile_id}/page_state');
  });

  it('14.20 a headless profile has the page size of the option viewport', async () => {
    expect(await browser.js('[innerWidth, innerHeight]')).toEqual([1280, 720]);
  });

  it('14.20 a profile that asks for a window is told when there is no display', async () => {
    const profile = { id: 'window', name: 'Window', user_data_dir: '~/chrome/window', headless: false };
    expect((await service.http('POST', '/api/profiles', profile)).status).toBe(201);
    const { body } = await service.http('POST', '/api/launch/window');
    expect(body).toMatchObject({ notes: [expect.stringContaining('no display')] });
  });

  it.each(['back', 'forward'])('14.20 %s without history is a conflict, not a bad gateway', async path => {
    await service.launch(path);
    const { status, body } = await browserOf(service, path).post(path);
    expect([status, Object(body).error]).toEqual([409, 'no_history']);
  });

  it('14.20 a click outside the page is no success', async () => {
    await show('<button>Here</button>');
    const { status, body } = await browser.post('click_at', { x: 5_000, y: 10 });
    expect([status, Object(body).error]).toEqual([400, 'bad_input']);
    expect(Object(body).message).toContain('1280');
    expect((await browser.post('click_at', { x: 1_279, y: 719 })).status).toBe(200);
  });
});
