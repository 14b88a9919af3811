// Dialogs: reading, answering, answering by itself; an open dialog never freezes other calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const log = () => textOf(kit, '#log');
const dialog = (args: Record<string, unknown>) => kit.ok('dialog', args);

async function raise(id: string): Promise<string> {
  await kit.open('/dialogs.html');
  return kit.ok('click', { selector: `#${id}` });
}

/** Leaves the dialog open that an earlier case has raised. */
async function raiseOnce(id: string): Promise<void> {
  if ((await dialog({ action: 'get_message' })) === 'No dialog is open.') await raise(id);
}

describe('S1-67 dialog', () => {
  it.each([
    ['alert', { action: 'accept' }, 'alert closed'],
    ['alert', { action: 'dismiss' }, 'alert closed'],
    ['confirm', { action: 'accept' }, 'confirm: true'],
    ['confirm', { action: 'dismiss' }, 'confirm: false'],
    ['prompt', { action: 'accept', prompt_text: 'Ada "L"' }, 'prompt: "Ada \\"L\\""'],
    ['prompt', { action: 'accept', prompt_text: '' }, 'prompt: ""'],
    ['prompt', { action: 'accept' }, 'prompt: "nobody"'],
    ['prompt', { action: 'dismiss' }, 'prompt: null'],
  ])('%s %j', async (id, args, result) => {
    expect(await raise(id)).toContain(`${id} dialog open`);
    expect(await dialog(args)).toMatch(/^(Accepted|Dismissed): /);
    expect(await log()).toBe(result);
  });

  it('get_message reads it and leaves it open', async () => {
    await raise('confirm');
    expect(await dialog({ action: 'get_message' })).toBe('Open: confirm "Delete the file?".');
    expect(await dialog({ action: 'get_message' })).toContain('Delete the file?');
    await dialog({ action: 'accept' });
    expect(await dialog({ action: 'get_message' })).toBe('No dialog is open.');
    expect((await kit.fails('dialog', { action: 'accept' })).code).toBe('no_dialog');
  });

  it('two in a row: the answer to the first tells the second', async () => {
    await raise('twice');
    expect(await dialog({ action: 'accept' })).toMatch(/Accepted: alert "First"; alert dialog open: "Second"/);
    await dialog({ action: 'accept' });
    expect(await log()).toBe('both closed');
  });

  it.each([
    ['snapshot', {}],
    ['click', { selector: '#alert' }],
    ['evaluate', { expression: '1' }],
    ['title', {}],
    ['fill', { selector: 'x', value: 'y' }],
    ['screenshot', {}],
  ])('while it is open %s answers at once and quotes it', async (tool, args) => {
    await raiseOnce('alert');
    const result = await kit.call(tool, args);
    expect(result).toMatchObject({ ok: false, failure: { code: 'dialog_open' } });
    expect(result.text).toContain('"Hello from the page"');
    expect(result.ms).toBeLessThan(4_000);
  });

  it('while it is open the list of tabs and the url can be read', async () => {
    await raiseOnce('alert');
    expect(await kit.ok('tab_list')).toContain('[alert dialog open]');
    expect(await kit.ok('url')).toContain('dialogs.html');
    await dialog({ action: 'accept' });
  });

  it('another tab is not held up', async () => {
    await raise('alert');
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number }[] };
    await kit.ok('tab_new', { url: `${kit.site.url}/signup.html` });
    expect(await kit.ok('snapshot')).toContain('Sign up');
    await kit.ok('dialog', { action: 'accept', tabId: tabs[0]?.tabId });
    await kit.ok('tab_close');
    expect(await log()).toBe('alert closed');
  });

  it('on load: the navigation answers, and the page goes on after it', async () => {
    expect(await kit.ok('navigate', { url: `${kit.site.url}/alert-on-load` })).toContain('"Read this first"');
    await dialog({ action: 'accept' });
    expect(await textOf(kit, '#state')).toBe('after the alert');
  });
});

describe('S1-67 auto_handle', () => {
  const off = { action: 'get_message', auto_handle: { enabled: false } };

  it.each([
    ['confirm', { enabled: true, default_action: 'accept' }, 'confirm: true'],
    ['confirm', { enabled: true, default_action: 'dismiss' }, 'confirm: false'],
    ['prompt', { enabled: true, default_action: 'accept', prompt_default_text: 'Robot' }, 'prompt: "Robot"'],
    ['prompt', { enabled: true, default_action: 'accept' }, 'prompt: "nobody"'],
    ['twice', { enabled: true, default_action: 'accept' }, 'both closed'],
  ])('%s %j', async (id, auto_handle, result) => {
    await kit.open('/dialogs.html');
    await dialog({ action: 'get_message', auto_handle });
    const said = await kit.ok('click', { selector: `#${id}` });
    expect(said).toMatch(/was (accepted|dismissed|dismissed) automatically: "/);
    expect(await log()).toBe(result);
    await dialog(off);
  });

  it('action gives the default; enabled: false leaves them open again', async () => {
    await kit.open('/dialogs.html');
    expect(await dialog({ action: 'accept', auto_handle: { enabled: true } })).toMatch(
      /Later dialogs: accepted automatically/,
    );
    await kit.ok('click', { selector: '#confirm' });
    expect(await log()).toBe('confirm: true');
    expect(await dialog(off)).toMatch(/left open/);
    expect(await kit.ok('click', { selector: '#alert' })).toContain('alert dialog open');
    await dialog({ action: 'accept' });
  });

  it('set while one is open: that one is answered too', async () => {
    await raise('confirm');
    await dialog({ action: 'accept', auto_handle: { enabled: true } });
    expect(await log()).toBe('confirm: true');
    await dialog(off);
  });
});

describe('S1-67 beforeunload', () => {
  it('beforeunload: dismissed the page stays and can be used, accepted it is left', async () => {
    await kit.open('/beforeunload');
    await kit.ok('fill', { selector: '#note', value: 'unsaved' });
    expect((await kit.call('click', { selector: 'text:Leave' })).text).toContain('beforeunload');
    await dialog({ action: 'dismiss' });
    expect(await kit.ok('snapshot')).toContain('Unsaved changes');
    expect(await kit.ok('url')).toMatch(/beforeunload$/);
    await kit.call('click', { selector: 'text:Leave' });
    await dialog({ action: 'accept' });
    await kit.ok('wait', { for: 'url', url: '**/signup.html' });
  });
});
