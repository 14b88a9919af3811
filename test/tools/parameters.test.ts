// Parameters that many tools share: tabId, frameId, timeout, wait_until, force; each tool that takes one is seen to heed it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/index.ts';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** The same controls in the page and in a frame of it; each document keeps a list of what happened in it. */
const CONTROLS = `<button id=b>Go</button><input id=t value=old aria-label=Text><input type=checkbox id=c><input type=checkbox id=d checked><select id=s><option>A<option>B</select><input type=file id=f><p style=height:3000px></p>
<script>window.seen = []; for (const type of ['click', 'dblclick', 'mouseover', 'mousedown', 'mouseup', 'input', 'change', 'keydown', 'focusin', 'scroll']) document.addEventListener(type, event => seen.push(type + ' ' + (event.target.id ?? '')), true)</script>`;
const PAGE = `<iframe style="width:700px;height:300px" srcdoc="${CONTROLS}"></iframe>${CONTROLS}`;

/** What each tool does to the controls, and what a document then has seen. */
const DEEDS: Record<string, [args: Record<string, unknown>, seen: string]> = {
  click: [{ selector: '#b' }, 'click b'],
  dblclick: [{ selector: '#b' }, 'dblclick b'],
  hover: [{ selector: '#b' }, 'mouseover b'],
  fill: [{ selector: '#t', value: 'new' }, 'input t'],
  type: [{ selector: '#t', text: 'x', delay: 0 }, 'keydown t'],
  press: [{ selector: '#t', key: 'x' }, 'keydown t'],
  drag: [{ source: '#b', target: '#t' }, 'mouseup t'],
  scroll: [{ direction: 'down', amount: 40 }, 'scroll '],
  upload: [{ selector: '#f', files: [{ base64: 'aGk=', name: 'a.txt' }] }, 'change f'],
  check: [{ selector: '#c' }, 'change c'],
  uncheck: [{ selector: '#d' }, 'change d'],
  select: [{ selector: '#s', value: 'B' }, 'change s'],
  clear: [{ selector: '#t' }, 'input t'],
  focus: [{ selector: '#t' }, 'focusin t'],
  locator: [{ chain: [{ method: 'css', value: '#b' }], action: 'click' }, 'click b'],
  fill_form: [{ fields: [{ selector: '#t', value: 'new' }] }, 'input t'],
};
/** Tools that only look: what they say of a document with the controls. */
const LOOKS: Record<string, [args: Record<string, unknown>, said: RegExp]> = {
  snapshot: [{}, /- button "Go" \[ref=@e\d+\]\n(?![\s\S]*button "Go")/],
  query: [{ by: 'role', value: 'button', options: { name: 'Go' }, return: 'count' }, /^1$/],
  evaluate: [{ expression: 'location.href' }, /^about:srcdoc$/],
  find: [{ text: 'Go' }, /button "Go"/],
  read: [{ selector: '#b' }, /Go/],
  wait: [{ for: 'function', function: 'return location.href === "about:srcdoc"' }, /returned true/],
};

describe('S1-14 tabId and frameId', () => {
  let tabId: number;
  let frameId: number;
  beforeAll(async () => {
    for (const url of ['about:blank', `${kit.site.url}/signup.html`]) await kit.ok('tab_new', { url });
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number }[] };
    tabId = tabs[0]?.tabId ?? 0;
  });
  const open = async () => {
    await show(kit, PAGE, { tabId });
    frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot', { tabId }))?.[1]);
  };
  const seen = (frame: number) => kit.ok('evaluate', { tabId, frameId: frame, expression: 'seen.splice(0).join()' });

  it('every tool with frameId is in the lists of this test', () => {
    const names = TOOLS.filter(tool => 'frameId' in tool.input).map(tool => tool.name);
    expect(names.sort()).toEqual([...Object.keys(DEEDS), ...Object.keys(LOOKS)].sort());
  });

  it.each(Object.entries(DEEDS))('%s acts in that frame of that tab, and nowhere else', async (tool, [args, event]) => {
    await open();
    for (const [here, elsewhere] of [
      [frameId, 0],
      [0, frameId],
    ] as const) {
      await kit.ok(tool, { ...args, tabId, frameId: here });
      expect((await seen(here)).split(',')).toContain(event);
      expect((await seen(elsewhere)).split(',')).not.toContain(event);
    }
  });

  it.each(Object.entries(LOOKS))('%s looks at that frame of that tab', async (tool, [args, said]) => {
    await open();
    expect(await kit.ok(tool, { ...args, tabId, frameId })).toMatch(said);
  });

  /** What other tools cannot do without. */
  const NEEDED: Record<string, Record<string, unknown>> = {
    dialog: { action: 'get_message' },
    pdf: { save_path: 'page.pdf' },
    record: { action: 'status' },
    storage: { action: 'keys' },
    auth_state: { action: 'save', name: 'x' },
    capture: { action: 'status' },
    request: { url: 'https://example.com' },
    route: { action: 'list' },
    geolocation: { latitude: 1, longitude: 1 },
    viewport: { width: 100, height: 100 },
    device: { name: 'iPhone 14' },
    permissions: { permissions: [{ name: 'camera', state: 'granted' }], origin: 'https://example.com' },
  };

  it.each(TOOLS.filter(tool => 'tabId' in tool.input && tool.on === 'tab').map(tool => tool.name))(
    '%s of a tab that is not there: no_tab',
    async tool => {
      const args = DEEDS[tool]?.[0] ?? LOOKS[tool]?.[0] ?? NEEDED[tool] ?? {};
      expect((await kit.fails(tool, { ...args, tabId: 4711 })).code).toBe('no_tab');
    },
  );

  it.each([...Object.keys(DEEDS), ...Object.keys(LOOKS)])(
    '%s of a frame that is not there: no_frame, at once',
    async tool => {
      const [args] = DEEDS[tool] ?? LOOKS[tool] ?? [{}];
      const result = await kit.call(tool, { ...args, frameId: 4711 });
      expect(result.failure?.code).toBe('no_frame');
      expect(result.ms).toBeLessThan(4_000);
    },
  );
});

describe('S1-02 timeout', () => {
  const waiting = Object.entries(DEEDS).filter(([name]) =>
    TOOLS.some(tool => tool.name === name && 'timeout' in tool.input),
  );

  it.each(waiting)('%s waits so long for its element, and no longer', async (tool, [args]) => {
    await show(kit, '<p>Empty</p>');
    const where = tool === 'drag' ? { source: '#nowhere', target: '#nowhere' } : { selector: '#nowhere' };
    const result = await kit.call(tool, { ...args, ...where, timeout: 800 });
    expect(result.failure?.code).toBe('not_found');
    expect(result.ms).toBeLessThan(4_000);
  });

  it.each(waiting)('%s with time enough finds an element that comes late', async (tool, [args]) => {
    await show(kit, '<p>Empty</p>');
    await js(
      kit,
      `void setTimeout(() => { document.body.innerHTML = ${JSON.stringify(CONTROLS.split('<p ')[0])} }, 300)`,
    );
    await kit.ok(tool, { ...args, timeout: 8000 });
  });

  it('evaluate ends well within its time', async () => {
    expect(
      await kit.ok('evaluate', { expression: 'new Promise(done => setTimeout(done, 300, "done"))', timeout: 5000 }),
    ).toBe('done');
  });
});

describe('S1-24 S1-25 S1-26 back, forward, reload', () => {
  it.each(['load', 'domcontentloaded', 'networkidle'])('wait_until %s, with timeout and tabId', async wait_until => {
    await kit.open('/signup.html');
    await kit.open('/article.html');
    const { tabs } = (await kit.call('tab_list')).data as { tabs: { tabId: number; active: boolean }[] };
    const args = { wait_until, timeout: 8000, tabId: tabs.find(tab => tab.active)?.tabId };
    expect(await kit.ok('back', args)).toMatch(/^Back at .*signup\.html/);
    expect(await kit.ok('forward', args)).toMatch(/^Forward at .*article\.html/);
    expect(await kit.ok('reload', args)).toMatch(/^Reloaded .*article\.html/);
  });

  it('timeout: a server that has become slow', async () => {
    await kit.ok('navigate', { url: `${kit.site.url}/slow?ms=900` });
    const result = await kit.call('reload', { timeout: 400 });
    expect(result.failure?.code).toBe('timeout');
    expect(result.ms).toBeLessThan(4_000);
  });
});

describe('S1-32 S1-38 S1-39 force', () => {
  it.each(['readonly', 'disabled'])('fill sets a field that is %s', async state => {
    await show(kit, `<input ${state} value="old" oninput="log.textContent='heard'"><p id="log"></p>`);
    await kit.ok('fill', { selector: 'input', value: 'new', force: true });
    expect(await js(kit, 'document.querySelector("input").value + log.textContent')).toBe('newheard');
  });

  it.each([
    ['check', true],
    ['uncheck', false],
  ])('%s clicks at the place of a box under a cover', async (tool, wanted) => {
    await show(
      kit,
      `<input type="checkbox" ${wanted ? '' : 'checked'}><div style="position:fixed;inset:0" onclick="document.querySelector('input').checked = ${wanted}"></div>`,
    );
    expect((await kit.fails(tool, { selector: 'input', timeout: 1_500 })).code).toBe('not_actionable');
    await kit.ok(tool, { selector: 'input', force: true });
    expect(await js(kit, 'document.querySelector("input").checked')).toBe(String(wanted));
  });

  it.each(['Alt', 'Control', 'Meta', 'Shift'])('S1-30 dblclick with %s', async modifier => {
    await show(
      kit,
      `<button ondblclick="log.textContent=[event.altKey&&'Alt',event.ctrlKey&&'Control',event.metaKey&&'Meta',event.shiftKey&&'Shift'].filter(Boolean)">Go</button><p id="log"></p>`,
    );
    await kit.ok('dblclick', { selector: 'button', modifiers: [modifier] });
    expect(await js(kit, 'log.textContent')).toBe(modifier);
  });
});
