// A person steps in: signs in on a page with a list, a date field, a file chooser and a dialog, and hands back; agents wait meanwhile.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PersonInput } from '../../../src/surfaces/view/protocol.ts';
import { poolChrome } from '../../chrome-pool.ts';
import { TOKEN } from '../http/here.ts';
import { type LiveSocket, Person } from './person.ts';
import { type ServedView, serveView } from './served-view.ts';

const OTHER = 'another-token-of-the-tests';
const READER = 'a-token-that-only-reads';

poolChrome();

let served: ServedView;
let owner: Person;
let live: LiveSocket;
let session: string;

const FORM = `<title>Sign in</title><form>
  <input name=user style="position:absolute;left:10px;top:10px;width:200px;height:20px">
  <input name=pass type=password style="position:absolute;left:10px;top:50px;width:200px;height:20px">
  <select name=role style="position:absolute;left:10px;top:90px;width:200px;height:30px">
    <option>Reader<option>Writer<option disabled>King</select>
  <input name=day type=date min=2026-01-01 style="position:absolute;left:10px;top:140px;width:200px;height:30px">
  <input name=paper type=file accept=.txt style="position:absolute;left:10px;top:190px;width:300px;height:30px">
  <button type=button style="position:absolute;left:10px;top:240px;width:200px;height:30px">Send</button></form>
  <div id=area tabindex=0 style="position:absolute;left:400px;top:10px;width:200px;height:200px;background:#eee"></div>
  <script>log = [];
  for (const name of ['change', 'input']) document.querySelector('select').addEventListener(name, e => log.push(name + ' ' + e.target.value));
  document.querySelector('button').onclick = () => log.push(confirm('Really send?') ? 'sent' : 'kept');
  for (const name of ['touchstart', 'touchend', 'wheel', 'compositionupdate', 'keyup', 'mouseup']) addEventListener(name, e => log.push(name + (e.key || e.data || '')));</script>`;

beforeAll(async () => {
  served = await serveView({ http: TOKEN, ann: OTHER, reader: READER });
  owner = await Person.login(served.here.url, TOKEN);
  live = await owner.connect();
});
afterAll(() => served.close());
afterEach(async () => {
  for (const lease of leases.splice(0)) await live.request({ type: 'handBack', session, lease });
  await live.request({ type: 'unwatch', watch: 1 });
});

const leases: string[] = [];

/** Opens the page, watches it and takes over. */
async function stepIn(html = FORM): Promise<string> {
  await served.call('navigate', { url: `data:text/html,${encodeURIComponent(html)}` });
  session = served.runtime.server?.list()[0]?.name ?? '';
  await live.request({ type: 'watch', session, tab: 1, watch: 1, size: 'full' });
  const taken = await live.request({ type: 'take', session });
  const lease = (taken.type === 'done' && taken.value?.lease) || '';
  leases.push(lease);
  return lease;
}

const does = (lease: string, input: PersonInput) => live.request({ type: 'input', session, tab: 1, lease, input });

async function click(lease: string, x: number, y: number): Promise<void> {
  const at = { kind: 'mouse', x, y, button: 'left', clicks: 1, modifiers: 0 } as const;
  await does(lease, { ...at, action: 'move', button: 'none', buttons: 0 });
  await does(lease, { ...at, action: 'down', buttons: 1 });
  await does(lease, { ...at, action: 'up', buttons: 0 });
}

async function key(lease: string, name: string, code: string, keyCode: number): Promise<void> {
  const at = { kind: 'key', key: name, code, keyCode, location: 0, repeat: false, modifiers: 0 } as const;
  await does(lease, { ...at, action: 'down' });
  await does(lease, { ...at, action: 'up' });
}

const control = (kind: string) => live.until(() => live.last('controls')?.controls.find(one => one.kind === kind));
/** Asks the page past the pipeline: a script of an agent would have to wait for the person. */
async function value(expression: string): Promise<unknown> {
  const main = served.runtime.server?.list()[0]?.context.tabs.get(1)?.main;
  return (await main?.send('Runtime.evaluate', { expression }))?.result.value;
}
const text = async (expression: string): Promise<string> => String(await value(expression));

describe('a person who has taken over', () => {
  it('signs in on a page with a list, a date field, a file chooser and a dialog; the next answer says so', async () => {
    const lease = await stepIn();
    await click(lease, 50, 20);
    await key(lease, 'a', 'KeyA', 65);
    await key(lease, 'Backspace', 'Backspace', 8);
    await does(lease, { kind: 'text', text: 'zoë' });
    await click(lease, 50, 60);
    await does(lease, { kind: 'text', text: 'hunter2-of-the-person' });
    await click(lease, 50, 100);
    const list = await control('select');
    expect(list).toMatchObject({
      label: 'role',
      multiple: false,
      options: [
        { label: 'Reader', selected: true, disabled: false },
        { label: 'Writer', selected: false, disabled: false },
        { label: 'King', selected: false, disabled: true },
      ],
    });
    const answer = (id: string, given: object) =>
      live.request({ type: 'answer', session, tab: 1, lease, control: id, value: given as never });
    expect(await answer(list.id, { kind: 'select', options: [1] })).toMatchObject({ type: 'done' });
    await click(lease, 50, 155);
    const day = await control('date');
    expect(day).toMatchObject({ input: 'date', min: '2026-01-01', value: '' });
    await answer(day.id, { kind: 'date', value: '2026-11-18' });
    await click(lease, 50, 205);
    const paper = await control('file');
    expect(paper).toMatchObject({ multiple: false, accept: '.txt' });
    const file = await owner.api('POST files', 'files?name=../my%20paper.txt', { body: 'words' });
    await answer(paper.id, { kind: 'file', files: [file.id] });
    await click(lease, 50, 255);
    const dialog = await control('dialog');
    expect(dialog).toMatchObject({ dialog: 'confirm', message: 'Really send?' });
    await answer(dialog.id, { kind: 'dialog', accept: true });
    await live.until(() => live.last('controls')?.controls.length === 0 || undefined);
    leases.length = 0;
    expect(await live.request({ type: 'handBack', session, lease })).toMatchObject({ type: 'done' });
    const next = await served.call('title');
    expect(next.text).toMatch(
      /^A person took over for \d+ s, acted and handed back\. Tab 1 is now at data:.*Look again:/,
    );
    expect(next.text).not.toContain('hunter2');
    const form = `[...document.querySelectorAll('[name]')].map(e => e.files ? e.files[0].name : e.value).join()`;
    expect(await text(form)).toContain('zoë,hunter2-of-the-person,Writer,2026-11-18,my paper.txt');
    expect(await text('log.join()')).toMatch(/input Writer,change Writer.*sent/);
    expect(await served.call('title').then(({ text: words }) => words)).not.toContain('A person');
  });

  it('scrolls, touches and composes, and leaves nothing pressed', async () => {
    const lease = await stepIn(`${FORM}<div style="height:5000px">`);
    await does(lease, { kind: 'wheel', x: 500, y: 100, dx: 0, dy: 300, modifiers: 0 });
    await expect.poll(() => value('scrollY > 100')).toBe(true);
    await does(lease, { kind: 'touch', action: 'start', points: [{ id: 1, x: 500, y: 100 }] });
    await does(lease, { kind: 'touch', action: 'end', points: [] });
    await expect.poll(() => text('log.join()')).toMatch(/touchstart.*touchend/);
    await does(lease, { kind: 'wheel', x: 500, y: 100, dx: 0, dy: -900, modifiers: 0 });
    await expect.poll(() => value('scrollY')).toBe(0);
    await click(lease, 50, 20);
    await does(lease, { kind: 'compose', text: 'にほ' });
    await does(lease, { kind: 'text', text: '日本' });
    await expect.poll(() => text('document.querySelector("[name=user]").value')).toContain('日本');
    const held = { kind: 'mouse', x: 500, y: 100, button: 'left', buttons: 1, clicks: 1, modifiers: 0 } as const;
    await does(lease, { ...held, action: 'down' });
    await does(lease, {
      kind: 'key',
      action: 'down',
      key: 'Shift',
      code: 'ShiftLeft',
      keyCode: 16,
      location: 1,
      repeat: false,
      modifiers: 8,
    });
    leases.length = 0;
    await live.request({ type: 'handBack', session, lease });
    await expect.poll(() => text('log.join()')).toMatch(/(keyupShift.*mouseup|mouseup.*keyupShift)$/);
  });

  it('holds back calls that act, and lets reads go on', async () => {
    const lease = await stepIn();
    expect((await served.call('snapshot')).ok).toBe(true);
    const acting = served.call('click', { selector: 'text:Send' });
    await live.request({ type: 'beat', session, lease });
    leases.length = 0;
    await live.request({ type: 'handBack', session, lease });
    const done = await acting;
    expect(done.text).toMatch(/A person took over for 1 s, did nothing and handed back\.\n.*Really send/s);
    await served.call('dialog', { action: 'dismiss' });
  });

  it('is named in what calls that waited too long are told', async () => {
    await stepIn();
    const failed = await served.call('click', { selector: 'text:Send' });
    expect(failed.failure).toMatchObject({ code: 'paused_by_person' });
    expect(failed.text).toContain('A person (http) has taken over this session');
    expect(await text('log.join()')).not.toContain('Send');
  }, 20_000);
});

describe('input is refused', () => {
  it('without a lease, with one that has ended, and while another has stepped in', async () => {
    const lease = await stepIn();
    const press: PersonInput = { kind: 'text', text: 'x' };
    expect(await does('made-up', press)).toMatchObject({ type: 'error', code: 'refused' });
    expect(await live.request({ type: 'take', session })).toMatchObject({ type: 'error', code: 'refused' });
    expect(await live.request({ type: 'handBack', session, lease: 'made-up' })).toMatchObject({ type: 'error' });
    leases.length = 0;
    await live.request({ type: 'handBack', session, lease });
    expect(await does(lease, press)).toMatchObject({ type: 'error', code: 'refused' });
  });

  it('of those who may only read, and of callers whose session it is not', async () => {
    const lease = await stepIn();
    const ann = await (await Person.login(served.here.url, OTHER)).connect();
    for (const message of [
      { type: 'take', session },
      { type: 'input', session, tab: 1, lease, input: { kind: 'text', text: 'x' } },
    ] as const)
      expect(await ann.request(message)).toMatchObject({ type: 'error', code: 'no_session' });
    await ann.close();
  });

  it('that is no message of the protocol', async () => {
    await stepIn();
    const before = live.messages.length;
    for (const bad of ['', '{', '[]', 'null', '{"type":"input"}', '{"type":"drawn","watch":-1,"frame":1}'])
      live.socket.send(bad);
    const errors = () => live.messages.slice(before).filter(one => one.type === 'error' && one.code === 'bad_input');
    await live.until(() => errors().length === 6 || undefined);
  });
});
