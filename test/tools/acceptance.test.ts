// What an acceptance test of the documents found, where no other file has the subject; each by its number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

it('14.7 tab_list tells a title that the url ends with', async () => {
  await kit.open('/rows?n=3&name=two');
  await js(kit, 'void (document.title = "two")');
  await expect.poll(() => kit.ok('tab_list')).toMatch(/name=two "two"/);
});

it('14.7 evaluate masks the cookies that the cookies tool masks, and no others; sanitize: false shows them', async () => {
  await kit.open('/signup.html');
  await js(kit, 'void (document.cookie = "my_sid=Zebra4711", document.cookie = "theme=darkness")');
  expect(await kit.ok('cookies', { action: 'get', name: 'my_sid' })).not.toContain('Zebra4711');
  const text = await kit.ok('evaluate', { expression: 'document.cookie' });
  expect(text).toContain('theme=darkness');
  expect(text).toContain('my_sid=[redacted]');
  expect(await kit.ok('evaluate', { expression: 'document.cookie', sanitize: false })).toContain('Zebra4711');
});

it('14.7 evaluate gives 51 200 bytes unless another limit is asked for', async () => {
  const repeated = (length: number) => kit.ok('evaluate', { expression: `'x'.repeat(${length})` });
  expect(await repeated(51_200)).toBe('x'.repeat(51_200));
  expect(await repeated(51_201)).toMatch(/^x{51200}\n… cut: 51201 bytes in all/);
});

it('14.7 click with force on an element without a box says so', async () => {
  await show(kit, '<button id="b" style="display:none">Go</button>');
  const { code, text } = await kit.fails('click', { selector: '#b', force: true, timeout: 500 });
  expect([code, text]).toEqual(['not_actionable', expect.stringContaining('has no box on the page')]);
});

it('14.7 mode interactive lists no plain pictures', async () => {
  await show(
    kit,
    '<img alt="Plain" width=50 height=50 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img alt="Zoom" width=50 height=50 onclick="1" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><button>Go</button>',
  );
  const text = await kit.ok('snapshot', { mode: 'interactive' });
  expect(text).toContain('Zoom');
  expect(text).toContain('button "Go"');
  expect(text).not.toContain('img "Plain"');
  expect(await kit.ok('snapshot')).toContain('img "Plain"');
});

it('14.7 mode focused begins at the focus', async () => {
  await show(kit, '<main><h1>Sign in</h1><label>Mail <input autofocus></label><button>Go</button></main>');
  await kit.ok('focus', { selector: 'label:Mail' });
  const lines = (await kit.ok('snapshot', { mode: 'focused' })).split('\n').slice(3);
  expect(lines).toEqual([expect.stringMatching(/^- textbox "Mail" \[ref=@e\d+\] \[active\]$/)]);
});

it('14.9 S1-100 scroll by the wheel counts ticks', async () => {
  await show(kit, '<p style="height:5000px">Long</p>');
  expect(await kit.ok('scroll', { direction: 'down', amount: 3, use_wheel: true })).toMatch(
    /^Scrolled page at 0,300 of/,
  );
  expect(await kit.ok('scroll', { direction: 'up', amount: 1, use_wheel: true })).toMatch(/at 0,200 of/);
});

it('14.9 S1-100 a selector and coordinates may be given together: the selector first, the point when it is not there', async () => {
  const button = (name: string, top: number) =>
    `<button style="position:absolute;left:0;top:${top}px;width:80px;height:30px" onclick="document.title='${name}'">${name}</button>`;
  await show(kit, button('First', 0) + button('Second', 60));
  const coordinates = { x: 20, y: 75 };
  expect(await kit.ok('click', { selector: 'text:First', coordinates })).toContain('First');
  expect(await js(kit, 'document.title')).toBe('First');
  const text = await kit.ok('click', { selector: '#none', coordinates, timeout: 600 });
  expect(text).toMatch(/^Clicked \(20, 75\), as "#none" is not there/);
  expect(await js(kit, 'document.title')).toBe('Second');
});

it.each([{}, { selector: 'form' }])(
  '14.8 chrome_get_interactive_elements by text has coordinates, %j',
  async within => {
    await show(
      kit,
      '<form><button style="position:fixed;left:40px;top:60px;width:90px;height:30px">Save all</button></form>',
    );
    await js(
      kit,
      'void document.body.append(Object.assign(document.createElement("button"), { textContent: "Other" }))',
    );
    const list = (more: object) => kit.ok('chrome_get_interactive_elements', { textQuery: 'save', ...within, ...more });
    const told = await list({});
    expect(told).toMatch(/button "Save all" .*box=40,60,90,30/);
    expect(told).not.toContain('Other');
    expect(await list({ includeCoordinates: false })).not.toContain('40,60');
  },
);

it('14.8 chrome_get_interactive_elements has coordinates of all elements, unless they are not wanted', async () => {
  await show(kit, '<button style="position:fixed;left:40px;top:60px;width:90px;height:30px">Save all</button>');
  const list = (includeCoordinates: boolean) => kit.ok('chrome_get_interactive_elements', { includeCoordinates });
  expect(await list(true)).toMatch(/button "Save all" .*box=40,60,90,30/);
  expect(await list(false)).not.toContain('40,60');
});

describe('14.8 a target that is missing', () => {
  const ACTION_MS = 600;
  let hasty: Kit;
  beforeAll(async () => {
    hasty = await startKit('--timeout-action', String(ACTION_MS));
  });
  afterAll(() => hasty.close());

  const missing = { selector: '#late' };
  it.each([
    ['click', missing],
    ['press', { ...missing, key: 'a' }],
    ['type', { ...missing, text: 'a' }],
    ['scroll', { ...missing, into_view: true }],
    ['snapshot', missing],
    ['read', missing],
    ['screenshot', missing],
    ['upload', { ...missing, files: [{ base64: 'YQ==', name: 'a.txt' }] }],
    ['evaluate', { expression: 'element => element.id', elements: ['#late'] }],
  ])('is waited for by %s as long as by every other tool', async (tool, args) => {
    await show(hasty, '<p>Nothing yet</p>');
    const started = performance.now();
    const { code } = await hasty.fails(tool, args);
    const ms = performance.now() - started;
    expect(code).toBe('not_found');
    expect(ms).toBeGreaterThan(ACTION_MS / 2);
    expect(ms).toBeLessThan(ACTION_MS * 5);
  });

  it.each([
    ['press', { ...missing, key: 'a' }],
    ['type', { ...missing, text: 'a' }],
    ['snapshot', missing],
  ])('is waited for by %s as long as its timeout says', async (tool, args) => {
    const appear = `setTimeout(() => document.body.append(Object.assign(document.createElement('input'), { id: 'late' })), ${ACTION_MS * 2})`;
    await show(hasty, `<p>Nothing yet</p><script>${appear}</script>`);
    await hasty.ok(tool, { ...args, timeout: 20_000 });
    await show(hasty, '<p>Nothing yet</p>');
    const started = performance.now();
    await hasty.fails(tool, { ...args, timeout: ACTION_MS / 3 });
    expect(performance.now() - started).toBeLessThan(ACTION_MS);
  });
});
