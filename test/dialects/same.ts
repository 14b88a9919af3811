// For each row of the migration table: a page, the old calls and the new ones, and what must come out the same.
import { resolve } from 'node:path';

export type Step = readonly [tool: string, args?: Readonly<Record<string, unknown>>];

export interface Same {
  id: string;
  what: string;
  /** HTML; or a path of the test site. */
  page: string;
  /** In a tab of its own: its size, frame numbers or console messages before would show in the outcome. */
  inNewTab?: boolean;
  old: readonly Step[];
  now: readonly Step[];
  /** Done while the last call waits, when this expression says that it does. */
  meanwhile?: { when: string; steps: readonly Step[] };
  /** Run at the end, so that the other side finds things as they were. */
  after?: readonly Step[];
  /** Run in the page at the end; without it the last answer counts. */
  see?: string;
  /** What comes out, so that doing nothing twice is not the same. */
  expected: unknown;
}

/** The ref of the first line of a snapshot that holds this text. */
const ref = (text: string): string => `ref:${text}`;
/** Stands for the address of the test site. */
export const SITE = 'SITE';

const LOG = '<script>const seen = []; const note = text => seen.push(text);</script>';
const BUTTON = `${LOG}<style>* { margin: 0 } button { position: fixed; left: 0; top: 0; width: 80px; height: 40px }</style>
<button>Save</button><script>
for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'mouseover'])
  document.querySelector('button').addEventListener(type, event => {
    if (type === 'contextmenu') event.preventDefault();
    note([type, event.button, event.detail, event.ctrlKey && 'ctrl', event.shiftKey && 'shift'].filter(Boolean).join(' '));
  });</script>`;
const CLICKS = "seen.filter(text => !text.startsWith('mouseover')).join(', ')";
const FORM = `<form><label>Name <input name="name" value="old"></label><label><input type="checkbox" name="news"> News</label>
<label><input type="radio" name="size" value="S">Small</label><label><input type="radio" name="size" value="L">Large</label>
<select name="land" aria-label="Land"><option value="de">Germany</option><option value="fr">France</option></select></form>`;
const FIELDS = "new URLSearchParams(new FormData(document.querySelector('form'))).toString()";
const TALL = `<style>* { margin: 0 } #box { height: 100px; overflow: auto } #box div { height: 2000px } #end { margin-top: 3000px }</style>
<div id="box"><div>In the box</div></div><button id="end">End</button>`;
const OFFSETS = 'scrollY > 100 ? "page" : "box " + box.scrollTop';
const DRAG = `${LOG}<style>b { position: fixed; width: 40px; height: 40px; top: 0; background: #ccc } b + b { left: 200px }</style>
<b tabindex="0" role="button" aria-label="From" draggable="true"></b><b tabindex="0" role="button" aria-label="To"></b><script>
const [from, to] = document.querySelectorAll('b');
from.ondragstart = event => event.dataTransfer.setData('text', 'x');
to.ondragover = event => event.preventDefault();
to.ondrop = event => note('dropped ' + event.dataTransfer.getData('text'));</script>`;
const CONSOLE = `<script>console.log('hello'); console.error('broken'); console.warn('careful')</script>`;
const FILE = `<input type="file"><p></p><script>
const [input, p] = [document.querySelector('input'), document.querySelector('p')];
input.onchange = async () => { const [file] = input.files; p.textContent = file.name + ' ' + (await file.text()).length; }</script>`;
const CHOSEN = `new Promise(done => { const look = () => p.textContent ? done(p.textContent) : setTimeout(look, 10); look(); })`;

export const SAME: readonly Same[] = [
  {
    ...{ id: 'S1-71', what: 'the list of tabs', page: '<title>One</title>' },
    old: [['get_windows_and_tabs']],
    now: [['tab_list']],
    expected: expect('"One"'),
  },
  {
    ...{ id: 'S1-72', what: 'a url', page: '/article.html', see: 'location.pathname', expected: '/tables.html' },
    old: [['chrome_navigate', { url: `${SITE}/tables.html` }]],
    now: [['navigate', { url: `${SITE}/tables.html` }]],
  },
  {
    ...{ id: 'S1-72', what: 'back and forward', page: '/article.html', see: 'location.pathname' },
    expected: '/tables.html',
    old: [
      ['chrome_navigate', { url: `${SITE}/tables.html` }],
      ['chrome_navigate', { url: 'back' }],
      ['chrome_navigate', { url: 'forward' }],
    ],
    now: [
      ['navigate', { url: `${SITE}/tables.html` }],
      ['navigate', { action: 'back' }],
      ['navigate', { action: 'forward' }],
    ],
  },
  {
    ...{ id: 'S1-72', what: 'a reload', page: '/article.html', expected: 'reload' },
    see: "performance.getEntriesByType('navigation')[0].type",
    old: [['chrome_navigate', { refresh: true, url: 'ignored.test' }]],
    now: [['navigate', { action: 'reload' }]],
  },
  {
    ...{ id: 'S1-72', what: 'a new window of a size', page: '/article.html', expected: '/tables.html 900x500' },
    see: "location.pathname + ' ' + innerWidth + 'x' + innerHeight",
    old: [['chrome_navigate', { url: `${SITE}/tables.html`, newWindow: true, width: 900, height: 500 }]],
    now: [['navigate', { url: `${SITE}/tables.html`, new_window: true, window_size: { width: 900, height: 500 } }]],
  },
  {
    ...{ id: 'S1-73', what: 'a picture of an element', page: BUTTON, expected: expect('80x40') },
    old: [['chrome_screenshot', { selector: 'button', storeBase64: true }]],
    now: [['screenshot', { selector: 'button' }]],
  },
  {
    ...{
      id: 'S1-73',
      what: 'a picture of the whole page, kept in a file',
      page: TALL,
      expected: expect('Saved 1280x3'),
    },
    old: [['chrome_screenshot', { name: 'tall' }]],
    now: [['screenshot', { full_page: true, save_path: 'tall-1.png' }]],
  },
  {
    ...{ id: 'S1-74', what: 'closing by url', page: '<title>One</title>', expected: expect('"One"') },
    old: [['tab_new', { url: `${SITE}/tables.html` }], ['chrome_close_tabs', { url: 'tables' }], ['tab_list']],
    now: [['tab_new', { url: `${SITE}/tables.html` }], ['tab_close', { url: 'tables' }], ['tab_list']],
  },
  {
    ...{ id: 'S1-74', what: 'closing and switching by id', page: '<title>One</title>', expected: 'One' },
    see: 'document.title',
    old: [['tab_new'], ['chrome_switch_tab', { tabId: 'FIRST' }], ['chrome_close_tabs', { tabIds: ['LAST'] }]],
    now: [['tab_new'], ['tab_switch', { tabId: 'FIRST' }], ['tab_close', { tabId: ['LAST'] }]],
  },
  {
    ...{ id: 'S1-75', what: 'the page as text', page: `<title>Two</title><main>Text ${BUTTON}</main>` },
    expected: expect('button "Save" [ref=ref_'),
    old: [['chrome_read_page', { filter: 'interactive', depth: 3 }]],
    now: [['snapshot', { mode: 'interactive', depth: 3 }]],
  },
  {
    ...{
      id: 'S1-75',
      what: 'one element as text',
      page: `<p>Outside</p><form aria-label="Login">Inside ${BUTTON}</form>`,
    },
    expected: expect('Inside'),
    old: [['chrome_read_page', { refId: ref('Login') }]],
    now: [['snapshot', { selector: ref('Login') }]],
  },
  {
    ...{ id: 'S1-76', what: 'left_click with Control', page: BUTTON, see: CLICKS, expected: 'click 1 ctrl' },
    old: [['chrome_computer', { action: 'left_click', ref: ref('Save'), modifiers: { ctrlKey: true } }]],
    now: [['click', { selector: ref('Save'), modifiers: ['Control'] }]],
  },
  {
    ...{ id: 'S1-76', what: 'left_click at a point', page: BUTTON, see: CLICKS, expected: 'click 1' },
    old: [['chrome_computer', { action: 'left_click', coordinates: { x: 20, y: 20 } }]],
    now: [['click', { coordinates: { x: 20, y: 20 } }]],
  },
  {
    ...{ id: 'S1-76', what: 'right_click', page: BUTTON, see: CLICKS, expected: expect('contextmenu 2') },
    old: [['chrome_computer', { action: 'right_click', ref: ref('Save') }]],
    now: [['click', { selector: ref('Save'), button: 'right' }]],
  },
  {
    ...{ id: 'S1-76', what: 'double_click', page: BUTTON, see: CLICKS, expected: 'click 1, click 2, dblclick 2' },
    old: [['chrome_computer', { action: 'double_click', ref: ref('Save') }]],
    now: [['dblclick', { selector: ref('Save') }]],
  },
  {
    ...{ id: 'S1-76', what: 'triple_click', page: BUTTON, see: CLICKS, expected: expect('click 3') },
    old: [['chrome_computer', { action: 'triple_click', ref: ref('Save') }]],
    now: [['click', { selector: ref('Save'), click_count: 3 }]],
  },
  {
    ...{ id: 'S1-76', what: 'left_click_drag', page: DRAG, see: "seen.join(', ')", expected: 'dropped x' },
    old: [['chrome_computer', { action: 'left_click_drag', startRef: ref('From'), ref: ref('To') }]],
    now: [['drag', { source: ref('From'), target: ref('To') }]],
  },
  {
    ...{ id: 'S1-76', what: 'left_click_drag by points', page: DRAG, see: "seen.join(', ')", expected: 'dropped x' },
    old: [
      [
        'chrome_computer',
        { action: 'left_click_drag', startCoordinates: { x: 10, y: 10 }, coordinates: { x: 220, y: 20 } },
      ],
    ],
    now: [['drag', { source_coordinates: { x: 10, y: 10 }, target_coordinates: { x: 220, y: 20 } }]],
  },
  {
    ...{ id: 'S1-76', what: 'scroll at a point', page: TALL, see: OFFSETS, expected: 'box 500' },
    old: [
      [
        'chrome_computer',
        { action: 'scroll', coordinates: { x: 50, y: 50 }, scrollDirection: 'down', scrollAmount: 5 },
      ],
    ],
    now: [['scroll', { coordinates: { x: 50, y: 50 }, direction: 'down', amount: 500 }]],
  },
  {
    ...{ id: 'S1-76', what: 'scroll_to', page: TALL, see: OFFSETS, expected: 'page' },
    old: [['chrome_computer', { action: 'scroll_to', ref: ref('End') }]],
    now: [['scroll', { selector: ref('End'), into_view: true }]],
  },
  {
    ...{ id: 'S1-76', what: 'type and key', page: FORM, see: FIELDS, expected: expect('name=ca') },
    old: [
      ['chrome_computer', { action: 'key', ref: ref('Name'), text: 'ctrl+a Delete' }],
      ['chrome_computer', { action: 'type', ref: ref('Name'), text: 'cats' }],
      ['chrome_computer', { action: 'key', text: 'Backspace', repeat: 2 }],
    ],
    now: [
      ['press', { selector: ref('Name'), key: 'Control+a' }],
      ['press', { key: 'Delete' }],
      ['type', { selector: ref('Name'), text: 'cats' }],
      ['press', { key: 'Backspace', repeat: 2 }],
    ],
  },
  {
    ...{ id: 'S1-76', what: 'fill', page: FORM, see: FIELDS, expected: expect('name=7') },
    old: [['chrome_computer', { action: 'fill', ref: ref('Name'), value: 7 }]],
    now: [['fill', { selector: ref('Name'), value: '7' }]],
  },
  {
    ...{ id: 'S1-76', what: 'fill_form', page: FORM, see: FIELDS, expected: 'name=Ada&land=fr' },
    old: [
      [
        'chrome_computer',
        {
          action: 'fill_form',
          elements: [
            { ref: ref('Name'), value: 'Ada' },
            { ref: ref('Land'), value: 'France' },
          ],
        },
      ],
    ],
    now: [
      [
        'fill_form',
        {
          fields: [
            { selector: ref('Name'), value: 'Ada' },
            { selector: ref('Land'), value: 'France' },
          ],
        },
      ],
    ],
  },
  {
    ...{ id: 'S1-76', what: 'hover', page: BUTTON, see: "seen.join(', ')", expected: 'mouseover' },
    old: [['chrome_computer', { action: 'hover', ref: ref('Save') }]],
    now: [['hover', { selector: ref('Save') }]],
  },
  {
    ...{ id: 'S1-76', what: 'wait for text', expected: expect('"Done" is visible') },
    page: `<p>Wait</p><script>setTimeout(() => { document.querySelector('p').textContent = 'Done' }, 300)</script>`,
    old: [['chrome_computer', { action: 'wait', text: 'Done', timeout: 5_000 }]],
    now: [['wait', { for: 'text', text: 'Done', timeout: 5_000 }]],
  },
  {
    ...{
      id: 'S1-76',
      what: 'wait until text is gone, and for time',
      expected: expect('are over'),
      page: 'Here',
    },
    old: [
      ['chrome_computer', { action: 'wait', text: 'Nowhere', appear: false }],
      ['chrome_computer', { action: 'wait', duration: 0.1 }],
    ],
    now: [
      ['wait', { for: 'text_hidden', text: 'Nowhere', timeout: 10_000 }],
      ['wait', { for: 'timeout', duration: 100 }],
    ],
  },
  {
    ...{
      id: 'S1-76',
      what: 'resize_page',
      inNewTab: true,
      page: 'Here',
      see: 'innerWidth + "x" + innerHeight',
      expected: '640x480',
    },
    old: [['chrome_computer', { action: 'resize_page', width: 640, height: 480 }]],
    now: [['viewport', { width: 640, height: 480 }]],
  },
  {
    ...{ id: 'S1-76', what: 'zoom', page: BUTTON, expected: expect('100x60') },
    old: [['chrome_computer', { action: 'zoom', region: { x0: 10, y0: 0, x1: 110, y1: 60 } }]],
    now: [['screenshot', { clip: { x: 10, y: 0, width: 100, height: 60 } }]],
  },
  {
    ...{ id: 'S1-76', what: 'screenshot', inNewTab: true, page: BUTTON, expected: expect('1280x720') },
    old: [['chrome_computer', { action: 'screenshot' }]],
    now: [['screenshot']],
  },
  {
    ...{ id: 'S1-77', what: 'XPath, twice, Shift', page: BUTTON, see: CLICKS, expected: expect('dblclick 2 shift') },
    old: [
      [
        'chrome_click_element',
        { selector: '//button', selectorType: 'xpath', double: true, modifiers: { shiftKey: true } },
      ],
    ],
    now: [['click', { selector: 'xpath=//button', click_count: 2, modifiers: ['Shift'] }]],
  },
  {
    ...{ id: 'S1-77', what: 'in a frame, with the middle button', inNewTab: true, expected: expect('auxclick 1') },
    page: `<iframe srcdoc='${BUTTON.replaceAll("'", '&#39;')}'></iframe>`,
    see: 'frames[0].eval("seen.join()")',
    old: [['chrome_click_element', { selector: 'button', button: 'middle', frameId: 1 }]],
    now: [['click', { selector: 'button', button: 'middle', frameId: 1 }]],
  },
  {
    ...{ id: 'S1-78', what: 'text, list, checkbox, radio', page: FORM, see: FIELDS },
    expected: 'name=Ada&news=on&size=L&land=fr',
    old: [
      ['chrome_fill_or_select', { ref: ref('Name'), value: 'Ada' }],
      ['chrome_fill_or_select', { selector: '[name=news]', value: true }],
      ['chrome_fill_or_select', { selector: '//input[@value="L"]', selectorType: 'xpath', value: true }],
      ['chrome_fill_or_select', { ref: ref('Land'), value: 'fr' }],
    ],
    now: [
      ['fill', { selector: ref('Name'), value: 'Ada' }],
      ['check', { selector: '[name=news]' }],
      ['check', { selector: '[value=L]' }],
      ['select', { selector: ref('Land'), value: 'fr' }],
    ],
  },
  {
    ...{ id: 'S1-78', what: 'a checkbox off', page: FORM.replace('name="news"', 'name="news" checked'), see: FIELDS },
    expected: 'name=old&land=de',
    old: [['chrome_fill_or_select', { selector: '[name=news]', value: false }]],
    now: [['uncheck', { selector: '[name=news]' }]],
  },
  {
    ...{ id: 'S1-79', what: 'keys and text', page: FORM, see: FIELDS, expected: expect('name=Hello%2C+you') },
    old: [
      ['chrome_keyboard', { keys: 'Ctrl+A, Delete', selector: '[name=name]' }],
      ['chrome_keyboard', { keys: 'Hello, you', delay: 1 }],
    ],
    now: [
      ['press', { selector: '[name=name]', key: 'Control+a Delete' }],
      ['type', { text: 'Hello, you', delay: 1 }],
    ],
  },
  {
    ...{ id: 'S1-80', what: 'a script', page: '<title>Three</title>', expected: expect('Three') },
    old: [['chrome_javascript', { code: 'return await Promise.resolve(document.title)' }]],
    now: [['evaluate', { expression: 'return await Promise.resolve(document.title)' }]],
  },
  {
    ...{ id: 'S1-81', what: 'errors only', inNewTab: true, page: CONSOLE, expected: expect('[error] broken') },
    old: [['chrome_console', { onlyErrors: true }]],
    now: [['console', { level: ['error'] }]],
  },
  {
    ...{ id: 'S1-81', what: 'a pattern, a limit, and forgetting', page: CONSOLE, expected: 'No messages.' },
    old: [
      ['chrome_console', { pattern: 'hel+o', limit: 1, clearAfterRead: true }],
      ['chrome_console', { pattern: 'hel' }],
    ],
    now: [
      ['console', { pattern: 'hel+o', max_messages: 1, clear_after_read: true }],
      ['console', { pattern: 'hel' }],
    ],
  },
  {
    ...{ id: 'S1-81', what: 'of a page that is opened for it', page: 'Here', see: 'location.pathname' },
    expected: '/console.html',
    old: [['chrome_console', { url: `${SITE}/console.html` }]],
    now: [['navigate', { url: `${SITE}/console.html` }], ['console']],
  },
  {
    ...{
      id: 'S1-82',
      what: 'requests without images and styles',
      page: '/article.html',
      expected: expect('/api/echo 200'),
    },
    old: [
      ['chrome_network_capture', { action: 'start', needResponseBody: true }],
      ['evaluate', { expression: "fetch('/api/echo', { method: 'PUT', body: 'a' }).then(answer => answer.text())" }],
      ['chrome_network_capture', { action: 'stop' }],
    ],
    now: [
      [
        'capture',
        {
          action: 'start',
          include_bodies: true,
          filter: { resource_types: ['document', 'xhr', 'fetch', 'websocket', 'other'] },
        },
      ],
      ['evaluate', { expression: "fetch('/api/echo', { method: 'PUT', body: 'a' }).then(answer => answer.text())" }],
      ['capture', { action: 'stop' }],
    ],
  },
  {
    ...{ id: 'S1-82', what: 'by the first names', page: '/article.html', expected: expect('/tables.html 200') },
    old: [['chrome_network_capture_start', { url: `${SITE}/tables.html` }], ['chrome_network_capture_stop']],
    now: [
      ['capture', { action: 'start', url: `${SITE}/tables.html`, filter: { resource_types: ['document'] } }],
      ['capture', { action: 'stop' }],
    ],
  },
  {
    ...{
      id: 'S1-83',
      what: 'a request with a form',
      page: '/article.html',
      expected: expect('name=\\"f\\"; filename=\\"x.txt\\"'),
    },
    old: [
      [
        'chrome_network_request',
        {
          url: `${SITE}/api/echo`,
          method: 'post',
          headers: { 'x-a': '1' },
          formData: { fields: { a: 'b' }, files: [{ name: 'f', base64Data: 'eA==', filename: 'x.txt' }] },
        },
      ],
    ],
    now: [
      [
        'request',
        {
          url: `${SITE}/api/echo`,
          method: 'POST',
          headers: { 'x-a': '1' },
          form_data: { a: 'b', f: { base64: 'eA==', name: 'x.txt' } },
        },
      ],
    ],
  },
  {
    ...{ id: 'S1-84', what: 'visited pages', page: '/tables.html', expected: expect('/tables.html') },
    old: [['chrome_history', { text: 'tables', maxResults: 1 }]],
    now: [['history', { query: 'tables', max_results: 1, start_time: '24 hours ago' }]],
  },
  {
    ...{ id: 'S1-85', what: 'add, delete, search', page: '/tables.html', expected: expect('1 bookmark of') },
    old: [
      ['chrome_bookmark_add', { url: `${SITE}/a`, title: 'Aleph', parentId: 'Work/Now', createFolder: true }],
      ['chrome_bookmark_add', { title: 'Bet', parentId: 'Work' }],
      ['chrome_bookmark_delete', { url: `${SITE}/a` }],
      ['chrome_bookmark_search', { folderPath: 'Work', maxResults: 5 }],
    ],
    now: [
      [
        'bookmarks',
        { action: 'add', url: `${SITE}/a`, title: 'Aleph', parent_folder: 'Work/Now', create_folder: true },
      ],
      ['bookmarks', { action: 'add', title: 'Bet', parent_folder: 'Work' }],
      ['bookmarks', { action: 'delete', url: `${SITE}/a` }],
      ['bookmarks', { action: 'search', folder: 'Work', max_results: 5 }],
    ],
    after: [['bookmarks', { action: 'delete', url: `${SITE}/tables.html` }]],
  },
  {
    ...{ id: 'S1-86', what: 'a file by its path', page: FILE, see: CHOSEN, expected: expect('biome.json ') },
    old: [['chrome_upload_file', { selector: 'input', filePath: resolve('biome.json') }]],
    now: [['upload', { selector: 'input', files: [resolve('biome.json')] }]],
  },
  {
    ...{ id: 'S1-86', what: 'a file as base64', page: FILE, see: CHOSEN, expected: 'x.txt 3' },
    old: [['chrome_upload_file', { selector: 'input', base64Data: 'YWJj', fileName: 'x.txt' }]],
    now: [['upload', { selector: 'input', files: [{ base64: 'YWJj', name: 'x.txt' }] }]],
  },
  {
    ...{ id: 'S1-86', what: 'a file from a url', page: FILE, see: CHOSEN, expected: expect('uploaded-file') },
    old: [['chrome_upload_file', { selector: 'input', fileUrl: `${SITE}/download/report.csv` }]],
    now: [['upload', { selector: 'input', files: [{ url: `${SITE}/download/report.csv`, name: 'uploaded-file' }] }]],
  },
  {
    ...{ id: 'S1-87', what: 'a prompt', see: 'document.title', expected: 'Ada' },
    page: `<button onclick="document.title = prompt('Who?')">Ask</button>`,
    old: [
      ['chrome_click_element', { selector: 'button' }],
      ['chrome_handle_dialog', { action: 'accept', promptText: 'Ada' }],
    ],
    now: [
      ['click', { selector: 'button' }],
      ['dialog', { action: 'accept', prompt_text: 'Ada' }],
    ],
  },
  {
    ...{ id: 'S1-88', what: 'a download', page: '/downloads.html', expected: expect(' is downloaded') },
    old: [
      ['click', { selector: 'a[href*="report.csv"] >> nth=0' }],
      ['chrome_handle_download', { filenameContains: 'report' }],
    ],
    now: [
      ['click', { selector: 'a[href*="report.csv"] >> nth=0' }],
      ['wait', { for: 'download', filename_contains: 'report' }],
    ],
  },
  {
    ...{ id: 'S1-89', what: 'a frame after each action', page: BUTTON, expected: expect('2 frames, 400x300 gif') },
    old: [
      ['chrome_gif_recorder', { action: 'auto_start', width: 400, height: 300, enhancedRendering: true }],
      ['chrome_gif_recorder', { action: 'capture', annotation: 'Before' }],
      ['chrome_gif_recorder', { action: 'status' }],
      ['chrome_gif_recorder', { action: 'stop', filename: 'demo' }],
    ],
    now: [
      ['record', { action: 'start', width: 400, height: 300 }],
      ['record', { action: 'capture_frame', annotation: 'Before' }],
      ['record', { action: 'stop', save_path: 'demo.gif' }],
    ],
  },
  {
    ...{
      id: 'S1-90',
      what: 'the text of an element',
      page: '<p>One</p><p id="b">Two <b>three</b></p>',
      expected: 'Two three',
    },
    old: [['chrome_get_web_content', { selector: '#b' }]],
    now: [['evaluate', { expression: "document.querySelector('#b').innerText" }]],
  },
  {
    ...{ id: 'S1-90', what: 'the HTML of an element', page: '<p id="b">Two <b>three</b><script>1</script></p>' },
    expected: '<p id="b">Two <b>three</b></p>',
    old: [['chrome_get_web_content', { selector: '#b', htmlContent: true }]],
    now: [
      ['evaluate', { expression: "document.querySelector('#b script').remove()" }],
      ['evaluate', { expression: "document.querySelector('#b').outerHTML" }],
    ],
  },
  {
    ...{ id: 'S1-91', what: 'what can be acted on', page: `Text ${FORM}`, expected: expect('textbox "Name"') },
    old: [['chrome_get_interactive_elements']],
    now: [['snapshot', { mode: 'interactive', include_bounds: true }]],
  },
  {
    ...{ id: 'S1-92', what: 'a person points', page: BUTTON, expected: expect('the button: ref_') },
    old: [['chrome_request_element_selection', { requests: [{ name: 'the button' }] }]],
    now: [['query', { requests: [{ name: 'the button' }] }]],
    meanwhile: {
      when: "document.querySelector('tabwright-pick') !== null",
      steps: [['click', { coordinates: { x: 20, y: 20 } }]],
    },
  },
  {
    ...{ id: 'S1-93', what: 'a trace', page: '/article.html', expected: expect('Trace of') },
    old: [['performance_start_trace', { reload: true }], ['performance_stop_trace'], ['performance_analyze_insight']],
    now: [
      ['capture', { action: 'start', mode: 'trace' }],
      ['navigate', { action: 'reload' }],
      ['capture', { action: 'stop', mode: 'trace', save_path: 'traces/trace-1.json' }],
    ],
  },
];

/** Holds this text. */
function expect(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
