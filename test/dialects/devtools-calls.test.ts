// Each of the 26 tools with each of its arguments in a real browser: the answer in its form, and the effect in the page.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dimensionsOf } from '../../src/engine/media/fit.ts';
import { otherBrowser } from '../other-browser.ts';
import { type Desk, sectionOf, startDesk, uidIn } from './devtools-desk.ts';
import { NAMES, RECORDED, toTry } from './devtools-tools.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk?.close());

const pages = async () =>
  sectionOf(await desk.ok('list_pages'), '## Pages')
    .trim()
    .split('\n');
const content = (text: string) => sectionOf(text, '## Page content');
/** What has come back may be told a moment later. */
const told = (tool: string, args: Record<string, unknown>, line: RegExp) =>
  vi.waitFor(async () => expect(await desk.ok(tool, args)).toMatch(line), { timeout: 15_000 });

describe('before anything was opened', () => {
  it('S2-58 there is one blank page, which is selected', async () => {
    expect(await desk.ok('list_pages')).toBe('# list_pages response\n## Pages\n0: about:blank [selected]');
  });
  it('S2-77 there is no snapshot to take uids from', async () => {
    expect(await desk.fails('click', { uid: '1_1' })).toBe(
      'There is no snapshot yet.\nCall take_snapshot and use a uid from it.',
    );
  });
});

describe('acting', () => {
  it('S2-75 S2-50 take_snapshot and click', async () => {
    expect(await desk.open('/')).toBe(`# navigate_page response\n## Pages\n0: ${desk.site.url}/ [selected]`);
    const before = await desk.ok('take_snapshot');
    expect(before).toMatch(
      /^# take_snapshot response\n## Page content\nuid=1_\d+ RootWebArea "Desk"\n {2}uid=1_\d+ heading "Desk" level="1"\n/,
    );
    const lines = content(before).trimEnd().split('\n');
    expect(lines.filter(line => !/^ *uid=1_\d+ \w+ "/.test(line))).toEqual([]);
    expect(before).toMatch(/uid=1_\d+ StaticText "Some words of text\."/);
    expect(before).toMatch(/uid=1_\d+ textbox "Name" value="Ada"\n/);
    expect(before).toMatch(
      /combobox "Colour" value="Green"\n {4}uid=1_\d+ option "Red"\n {4}uid=1_\d+ option "Green" selectable selected/,
    );
    expect(before).toMatch(/checkbox "Agree"\n.*radio "One" checked checked="true"/);
    expect(before).toMatch(/button "Off" disableable disabled\n.*button "Menu" expandable\n/);
    expect(before).toMatch(/Iframe "Inner"\n {4}uid=1_\d+ button "In"/);
    expect(before).not.toContain('hunter22');
    const after = await desk.ok('click', { uid: uidIn(before, 'button "Save"') });
    expect(after).toMatch(
      /^# click response\nSuccessfully clicked on the element\n## Page content\nuid=2_\d+ RootWebArea "saved"\n/,
    );
    expect(after).toMatch(/uid=2_\d+ button "Save" focusable focused/);
    expect(await desk.ok('click', { uid: uidIn(after, 'button "Save"'), dblClick: true })).toMatch(
      /^# click response\nSuccessfully double clicked on the element\n## Page content\n.*RootWebArea "twice"/,
    );
    expect(await desk.ok('click', { uid: await desk.uid('button "Save"'), dblClick: false })).toMatch('"saved"');
  });

  it('S2-50 the snapshot of an answer has what the click drew a moment later, also in a frame', async () => {
    await desk.open('/');
    expect(await desk.ok('click', { uid: await desk.uid('button "Later"') })).toContain('Drawn later');
    expect(await desk.ok('click', { uid: await desk.uid('button "In"') })).toContain('done inside');
  });

  it('S2-51 drag', async () => {
    await desk.open('/');
    const page = await desk.ok('take_snapshot');
    const args = { from_uid: uidIn(page, 'image "From"'), to_uid: uidIn(page, 'image "To"') };
    expect(await desk.ok('drag', args)).toMatch(/^# drag response\nSuccessfully dragged an element\n## Page content\n/);
    expect(await desk.js('document.title')).toBe('dropped');
  });

  it('S2-52 S2-53 fill and fill_form', async () => {
    await desk.open('/');
    expect(await desk.ok('fill', { uid: await desk.uid('textbox "Name"'), value: 'Grace' })).toMatch(
      /^# fill response\nSuccessfully filled out the element\n## Page content\n/,
    );
    const page = await desk.ok('fill', { uid: await desk.uid('combobox "Colour"'), value: 'Red' });
    expect(await desk.js('[name.value, colour.value].join()')).toBe(',r');
    expect(await desk.js('document.querySelector("#name").value')).toBe('Grace');
    const elements = [
      { uid: uidIn(page, 'textbox "Name"'), value: 'Eve' },
      { uid: uidIn(page, 'checkbox'), value: 'true' },
    ];
    const filled = await desk.ok('fill_form', { elements });
    expect(filled).toMatch(/^# fill_form response\nSuccessfully filled out the form\n## Page content\n/);
    expect(filled).toMatch(
      /textbox "Name" value="Eve"[\s\S]*checkbox "Agree" (focusable focused )?checked checked="true"/,
    );
    expect(await desk.fails('fill', { uid: uidIn(filled, 'combobox'), value: 'Blue' })).toMatch(
      /^\d+_\d+ combobox "Colour" has no option "Blue"\. Options: "Red"/,
    );
  });

  it('S2-55 hover', async () => {
    await desk.open('/');
    expect(await desk.ok('hover', { uid: await desk.uid('button "Save"') })).toMatch(
      /^# hover response\nSuccessfully hovered over the element\n## Page content\n/,
    );
    expect(await desk.js('document.body.dataset.over')).toBe('save');
  });

  it('S2-56 upload_file: a field, or what opens a chooser', async () => {
    await desk.open('/');
    const filePath = join(desk.kit.folder, 'output', 'letter.txt');
    await desk.ok('take_screenshot', { filePath: 'make-the-folder.png' });
    writeFileSync(filePath, 'hello');
    for (const words of ['button "File"', 'button "Choose"']) {
      await desk.open('/');
      expect(await desk.ok('upload_file', { uid: await desk.uid(words), filePath })).toMatch(
        `# upload_file response\nFile uploaded from ${filePath}.\n## Page content\n`,
      );
      expect(await desk.js('file.files[0].name')).toBe('letter.txt');
    }
    expect(await desk.fails('upload_file', { uid: await desk.uid('button "Save"'), filePath })).toMatch(
      /is not a file field and opened no file chooser/,
    );
  });

  it('S2-54 handle_dialog', async () => {
    await desk.open('/');
    const asked = await desk.ok('click', { uid: await desk.uid('button "Ask"') });
    expect(asked).toBe(
      [
        '# click response',
        'Successfully clicked on the element',
        '# Open dialog',
        'confirm: Sure? (default value: ).',
        'Call handle_dialog to handle it before continuing.',
        '## Page content',
        'There is none: a dialog blocks the page.',
      ].join('\n'),
    );
    expect(await desk.fails('take_snapshot')).toMatch(
      /^A confirm dialog blocks page 0: "Sure\?"\nAnswer it with handle_dialog/,
    );
    expect(await desk.ok('handle_dialog', { action: 'dismiss' })).toBe(
      `# handle_dialog response\nSuccessfully dismissed the dialog\n## Pages\n0: ${desk.site.url}/ [selected]`,
    );
    expect(await desk.js('document.title')).toBe('false');
    await desk.ok('click', { uid: await desk.uid('button "Prompt"') });
    expect(await desk.ok('list_pages')).toContain('# Open dialog\nprompt: Who? (default value: me).\n');
    await desk.ok('handle_dialog', { action: 'accept', promptText: 'Zoe' });
    expect(await desk.js('document.title')).toBe('Zoe');
    expect(await desk.fails('handle_dialog', { action: 'accept' })).toMatch(/^No open dialog found/);
  });
});

describe('pages', () => {
  it('S2-57 S2-61 S2-62 new_page, select_page, close_page', async () => {
    await desk.open('/');
    expect(await desk.ok('new_page', { url: `${desk.site.url}/two`, timeout: 20_000 })).toBe(
      `# new_page response\n## Pages\n0: ${desk.site.url}/\n1: ${desk.site.url}/two [selected]`,
    );
    await desk.ok('new_page', { url: `${desk.site.url}/two?b`, timeout: 0 });
    expect(await desk.ok('select_page', { pageIdx: 1 })).toMatch(/\n1: \S+\/two \[selected\]\n2: /);
    expect(await desk.js('location.pathname')).toBe('/two');
    expect(await desk.fails('select_page', { pageIdx: 7 })).toBe(
      'No page found at 7: the last list went from 0 to 2.\nCall list_pages to see which pages are open.',
    );
    expect(await desk.ok('close_page', { pageIdx: 2 })).toMatch(/\n0: \S+ \[selected\]\n1: \S+\/two$/);
    expect(await desk.ok('close_page', { pageIdx: 1 })).toMatch(/## Pages\n0: \S+ \[selected\]$/);
    expect(await desk.ok('close_page', { pageIdx: 0 })).toMatch(
      /^# close_page response\nThe last open page cannot be closed.*\n## Pages\n0: \S+ \[selected\]$/,
    );
  });

  it('S2-57 a number means the page that was listed there, never another one', async () => {
    await desk.open('/');
    await desk.ok('new_page', { url: `${desk.site.url}/two?a` });
    await desk.ok('new_page', { url: `${desk.site.url}/two?b` });
    const context = desk.kit.server.list()[0]!.context;
    const [, second] = [...context.tabs.values()];
    await second!.page.close();
    await vi.waitFor(() => expect(context.tabs.size).toBe(2));
    expect(await desk.fails('close_page', { pageIdx: 1 })).toMatch(
      /^No page found at 1: it has been closed since the pages were listed\./,
    );
    expect(await desk.ok('close_page', { pageIdx: 2 })).toMatch(/## Pages\n0: \S+\/ \[selected\]$/);
  });

  it('S2-58 a page that was opened by a click is listed, not selected', async () => {
    await desk.open('/');
    const clicked = await desk.ok('click', { uid: await desk.uid('link "Tab"') });
    expect(clicked).toMatch(/## Pages\n0: \S+\/ \[selected\]\n1: \S+\/two\n## Page content\n/);
    await desk.ok('close_page', { pageIdx: 1 });
  });

  it('S2-59 S2-60 navigate_page and navigate_page_history', async () => {
    await desk.open('/');
    await desk.ok('navigate_page', { url: `${desk.site.url}/two`, timeout: 15_000 });
    expect(await desk.ok('navigate_page_history', { navigate: 'back', timeout: 15_000 })).toBe(
      `# navigate_page_history response\n## Pages\n0: ${desk.site.url}/ [selected]`,
    );
    expect(await desk.ok('navigate_page_history', { navigate: 'forward' })).toMatch(/0: \S+\/two \[selected\]$/);
    const { ok, text, failure } = await desk.call('navigate_page_history', { navigate: 'forward' });
    expect({ ok, code: failure?.code }).toEqual({ ok: true, code: 'no_history' });
    expect(text).toMatch(
      /^# navigate_page_history response\nUnable to navigate forward in currently selected page\. There is no later page.*\n## Pages\n/,
    );
    expect(await desk.fails('navigate_page', { url: `${desk.site.url}/never`, timeout: 700 })).toMatch(
      /never was not there within \d+ ms/,
    );
    expect(await desk.ok('navigate_page', { url: `${desk.site.url}/missing` })).toMatch(
      /^# navigate_page response\nThe server answered 404 Not Found\n## Pages\n/,
    );
  });

  it('S2-63 wait_for: text, or a name in a frame', async () => {
    await desk.open('/late');
    expect(await desk.ok('wait_for', { text: 'Arrived' })).toMatch(
      /^# wait_for response\nElement with text "Arrived" found\.\n## Page content\nuid=\d+_\d+ RootWebArea "Late"\n.*Arrived now/,
    );
    await desk.ok('wait_for', { text: 'Named inside', timeout: 20_000 });
    expect(await desk.fails('wait_for', { text: '/Arr.*/', timeout: 500 })).toMatch(/^Waited 0\.5 s, but text "\/Arr/);
  });

  it('S2-66 resize_page', async () => {
    await desk.open('/two');
    expect(await desk.ok('resize_page', { width: 640, height: 480 })).toMatch(/^# resize_page response\n## Pages\n/);
    expect(await desk.js('[innerWidth, innerHeight]')).toEqual([640, 480]);
    await desk.ok('resize_page', { width: 1280, height: 720 });
  });

  it('S2-64 S2-65 S2-77 emulate_cpu and emulate_network are shown in later answers', async () => {
    await desk.open('/two');
    expect(await desk.ok('emulate_cpu', { throttlingRate: 2 })).toBe(
      '# emulate_cpu response\n## CPU emulation\nEmulating: 2x slowdown',
    );
    const { timeoutNavigation } = desk.kit.server.options;
    const factors = { 'Slow 3G': 10, 'Fast 3G': 5, 'Slow 4G': 2.5, 'Fast 4G': 1 };
    for (const [throttlingOption, times] of Object.entries(factors))
      expect(await desk.ok('emulate_network', { throttlingOption })).toBe(
        `# emulate_network response\n## Network emulation\nEmulating: ${throttlingOption}\nDefault navigation timeout set to ${timeoutNavigation * times} ms\n## CPU emulation\nEmulating: 2x slowdown`,
      );
    expect(await desk.ok('list_pages')).toMatch(
      /^# list_pages response\n## Network emulation\n[\s\S]*## CPU emulation\n[\s\S]*## Pages\n/,
    );
    await desk.ok('emulate_cpu', { throttlingRate: 1 });
    expect(await desk.ok('emulate_network', { throttlingOption: 'No emulation' })).toBe('# emulate_network response');
    expect(await desk.fails('emulate_cpu', { throttlingRate: 21 })).toMatch(
      /throttlingRate must be at most 20, got 21/,
    );
  });
});

describe('looking', () => {
  it('S2-74 take_screenshot', async () => {
    await desk.open('/');
    for (const format of ['png', 'jpeg', 'webp']) {
      const { text, pictures } = await desk.call('take_screenshot', { format, quality: 40 });
      expect(text).toBe("# take_screenshot response\nTook a screenshot of the current page's viewport.");
      expect(pictures).toMatchObject([{ mimeType: `image/${format}` }]);
    }
    const uid = await desk.uid('button "Save"');
    const small = await desk.call('take_screenshot', { uid });
    expect(small.text).toMatch(`Took a screenshot of node with uid "${uid}".`);
    expect(small.pictures[0]?.width).toBeLessThan(200);
    const whole = await desk.call('take_screenshot', { fullPage: true });
    expect(whole.text).toMatch(/Took a screenshot of the full current page\.\nIt is shown at \d+ % of its size/);
    expect(dimensionsOf(whole.pictures[0]!.bytes)?.height).toBe(2_000);
    expect(await desk.fails('take_screenshot', { uid, fullPage: true })).toMatch(/either "uid" or "fullPage"/);
    const saved = await desk.ok('take_screenshot', { filePath: 'shots/desk.png', fullPage: true });
    const path = /Saved screenshot to (\S+\.png)\./.exec(saved)?.[1] ?? '';
    expect(dimensionsOf(readFileSync(path))?.height).toBeGreaterThan(3_000);
  });

  it('S2-74 a picture of 2 000 000 bytes or more is saved to a file', async () => {
    await desk.open('/noise');
    const { text, pictures } = await desk.call('take_screenshot', { fullPage: true });
    expect(pictures).toEqual([]);
    const path = /\nSaved screenshot to (\S+\.png)\.$/.exec(text)?.[1] ?? '';
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path).length).toBeGreaterThanOrEqual(2_000_000);
  });

  it('S2-72 evaluate_script', async () => {
    await desk.open('/');
    const value = async (script: string, args?: object[]) =>
      /^# evaluate_script response\nScript ran on page and returned:\n```json\n([\s\S]*)\n```$/.exec(
        await desk.ok('evaluate_script', { function: script, ...(args && { args }) }),
      )?.[1];
    expect(await value('() => ({ a: [1, { b: null }], u: undefined })')).toBe('{"a":[1,{"b":null}]}');
    expect(await value('async () => "x\\ny"')).toBe('"x\\ny"');
    expect(await value('() => undefined')).toBe('undefined');
    expect(await value('function () { return document.title }')).toBe('"Desk"');
    const page = await desk.ok('take_snapshot');
    const uids = (...words: string[]) => words.map(one => ({ uid: uidIn(page, one) }));
    expect(await value('(a, b) => a.tagName + b.value', uids('button "Save"', 'textbox "Name"'))).toBe('"BUTTONAda"');
    expect(await value('el => el.ownerDocument === document', uids('button "In"'))).toBe('true');
    expect(await value('el => el.tagName', uids('StaticText "Some words'))).toBe('"P"');
    expect(await value('el => el.tagName', uids('RootWebArea'))).toBe('"HTML"');
    const across = { function: '(a, b) => 1', args: uids('button "Save"', 'button "In"') };
    expect(await desk.fails('evaluate_script', across)).toMatch(/stand in different frames/);
    expect(await desk.fails('evaluate_script', { function: '() => { throw new Error("bad") }' })).toMatch(/Error: bad/);
  });

  it('S2-73 list_console_messages: of this page, a line each', async () => {
    await desk.open('/logs?old');
    await desk.open('/two');
    expect(await desk.ok('list_console_messages')).toBe(
      '# list_console_messages response\n## Console messages\n<no console messages found>',
    );
    await desk.open('/logs');
    await told('list_console_messages', {}, /Error: boom/);
    const text = await desk.ok('list_console_messages');
    expect(text).toMatch(
      /^# list_console_messages response\n## Console messages\nLog> logs:2:9: hello\nInfo> logs:2:\d+: info\nWarning> logs:2:\d+: careful\nError> wrong\nlogs:2:\d+\nDebug> logs:2:\d+: deep\n/,
    );
    expect(text).not.toContain('old');
  });

  it('S2-71 list_network_requests', async () => {
    await desk.open('/two');
    await desk.open('/requests');
    await told('list_network_requests', {}, /\/none GET \[failed - 404\]/);
    const all = await desk.ok('list_network_requests');
    expect(all).toMatch(
      /^# list_network_requests response\n## Network requests\nShowing 1-10 of 10 \(Page 1 of 1\)\.\nhttp:\S+\/requests GET \[success - 200\]\n/,
    );
    for (const line of ['/api POST [success - 200]', '/moved GET [failed - 302]', '/moved-on GET [failed - 301]'])
      expect(all).toContain(line);
    expect(await desk.ok('list_network_requests', { pageSize: 4, pageIdx: 1 })).toMatch(
      /\nShowing 5-8 of 10 \(Page 2 of 3\)\.\nNext page: 2\nPrevious page: 0\n(http:\S+ \w+ \[.*\]\n?){4}$/,
    );
    expect(await desk.ok('list_network_requests', { pageIdx: 0 })).toMatch(/Showing 1-10 of 10/);
    expect(await desk.ok('list_network_requests', { pageSize: 3, pageIdx: 9 })).toMatch(
      /\nInvalid page number provided\. Showing first page\.\nShowing 1-3 of 10 \(Page 1 of 4\)\.\nNext page: 1\n/,
    );
    expect(await desk.ok('list_network_requests', { resourceTypes: ['stylesheet', 'image'] })).toMatch(
      /Showing 1-2 of 2 .*\n\S+\/style\.css GET .*\n\S+\/pic\.png GET .*$/,
    );
    const types = RECORDED.find(({ name }) => name === 'list_network_requests')!.inputSchema.properties.resourceTypes!;
    expect(await desk.ok('list_network_requests', { resourceTypes: types.items!.enum })).toMatch(/of 10 /);
    expect(await desk.ok('list_network_requests', { resourceTypes: ['websocket'] })).toMatch(/\nNo requests found\.$/);
  });

  it('S2-70 get_network_request', async () => {
    await desk.open('/requests');
    await told('list_network_requests', {}, /\/none GET \[failed - 404\]/);
    const one = (path: string) => desk.ok('get_network_request', { url: desk.site.url + path });
    const api = await one('/api');
    expect(api).toMatch(
      /^# get_network_request response\n## Request http:\S+\/api\n.*\nStatus: {2}\[success - 200\]\n### Request Headers\n- /,
    );
    expect(api).toMatch(
      /\n### Request Body\n\{"q":1\}\n### Response Headers\n[\s\S]*- x-answer:yes\n[\s\S]*### Response Body\n\{"ok":true\}$/i,
    );
    expect(api).not.toContain('s3cr3t');
    expect(await one('/moved')).toMatch(
      /\n### Redirect chain\n\S+\/moved-on GET \[failed - 301\]\n {2}\S+\/moved GET \[failed - 302\]$/,
    );
    expect(await one('/big')).toMatch(/### Response Body\nx{10000}… <12000 characters in all>$/);
    expect(await one('/pic.png')).toMatch(/### Response Body\n<\d+ bytes of binary data>$/);
    expect(await desk.fails('get_network_request', { url: 'http://none' })).toMatch(/^Request not found/);
  });

  it('S2-67 S2-68 S2-69 performance_start_trace, performance_stop_trace, performance_analyze_insight', async () => {
    await desk.open('/two');
    expect(await desk.ok('performance_analyze_insight', { insightName: 'LCPBreakdown' })).toMatch(
      /^# performance_analyze_insight response\nNo trace was recorded.* Use performance_start_trace to record one\.$/,
    );
    expect(await desk.ok('performance_stop_trace')).toMatch(/^# performance_stop_trace response\n/);
    expect(await desk.ok('performance_start_trace', { reload: false, autoStop: false })).toBe(
      '# performance_start_trace response\nThe performance trace is being recorded. Use performance_stop_trace to stop it.',
    );
    const again = await desk.call('performance_start_trace', { reload: false, autoStop: false });
    expect(again.ok).toBe(true);
    expect(again.text).toMatch(
      /^# performance_start_trace response\nError: .*Use performance_stop_trace to stop it\.$/,
    );
    expect(await desk.ok('performance_stop_trace')).toMatch(
      /^# performance_stop_trace response\nThe performance trace has been stopped\.\n/,
    );
    const whole = await desk.ok('performance_start_trace', { reload: true, autoStop: true });
    expect(whole).toMatch(/^# performance_start_trace response\nThe performance trace has been stopped\.\n[\s\S]*LCP/);
    expect(whole).toContain('performance_analyze_insight tells more');
    expect(await desk.ok('performance_analyze_insight', { insightName: 'DocumentLatency' })).toMatch(
      /^# performance_analyze_insight response\nDocumentLatency/,
    );
    expect(await desk.ok('performance_analyze_insight', { insightName: 'Nope' })).toMatch(/There is no insight "Nope"/);
  }, 60_000);
});

describe('S2-42 names that no server had', () => {
  it('do what they say, and are not listed', async () => {
    await desk.open('/');
    const page = await desk.ok('get_page_content');
    expect(page).toMatch(/^# get_page_content response\n## Page content\n/);
    await desk.ok('type_text', { uid: uidIn(page, 'textbox "Name"'), text: ' L.' });
    expect(await desk.js('document.querySelector("#name").value')).toBe('Ada L.');
    expect(await desk.ok('click_element', { uid: uidIn(await desk.ok('capture_snapshot'), 'button "Save"') })).toMatch(
      '"saved"',
    );
    expect(await desk.ok('execute_script', { script: '() => 1 + 1' })).toMatch(/\n2\n/);
    await desk.ok('set_device_metrics', { width: 700, height: 500 });
    expect(await desk.js('innerWidth')).toBe(700);
    await told('get_console_logs', {}, /clicked 1/);
    await desk.ok('clear_console');
    expect(await desk.ok('get_console_logs')).toMatch(/<no console messages found>$/);
    expect(await desk.ok('get_network_logs')).toMatch(/## Network requests\nShowing 1-/);
    expect((await desk.call('screenshot')).pictures).toHaveLength(1);
    await desk.ok('resize_page', { width: 1280, height: 720 });
  });
});

describe('S2-41 the recorded schemas', () => {
  it('every tool, argument and value was tried above', () => {
    const wanted = RECORDED.flatMap(toTry);
    const missing = wanted.filter(what => !desk.tried.has(what));
    console.log(
      `${NAMES.length} tools, ${wanted.length} names, arguments and values; ${wanted.length - missing.length} tried`,
    );
    expect(missing).toEqual([]);
    expect(NAMES).toHaveLength(26);
  });
  it('leaves one page', async () => {
    expect(await pages()).toHaveLength(1);
  });
});

it('14.16 in an attached browser, list_network_requests after going back has the requests of that page only', async () => {
  const other = await otherBrowser();
  const attached = await startDesk('--cdp-endpoint', other.endpoint);
  await attached.open('/');
  await attached.open('/requests');
  await vi.waitFor(async () => expect(await attached.ok('list_network_requests')).toContain('/requests GET'));
  const back = await attached.call('navigate_page_history', { navigate: 'back' });
  expect(back.text).toContain(`0: ${attached.site.url}/ [selected]`);
  expect(back.ms).toBeLessThan(5_000);
  expect(await attached.ok('list_network_requests')).not.toContain('/requests');
  await attached.close();
  await other.end();
});
