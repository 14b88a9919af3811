// The devtools dialect when a page is stuck, too long, closed or forbidden: the answer says what was done, and then why there is no more.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Desk, sectionOf, startDesk, uidIn } from './devtools-desk.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'tabwright-devtools-'));

beforeAll(async () => {
  const rules = join(folder, 'policy.yaml');
  writeFileSync(
    rules,
    `default: allow\nrules:\n  - name: no reading of two\n    tool: snapshot\n    url: "^http://[^/]+/two"\n    decision: deny\n`,
  );
  desk = await startDesk('--policy', rules, '--max-chars', '6000');
});
afterAll(async () => {
  await desk?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('S2-76 the page content of an answer', () => {
  it('is left out with the reason when the page is stuck, and the next call works', async () => {
    const desk = await startDesk('--timeout-action', '3000');
    onTestFinished(() => desk.close());
    await desk.open('/stuck');
    const text = await desk.ok('click', { uid: await desk.uid('button "Hang"') });
    expect(text).toMatch(/^# click response\nSuccessfully clicked on the element\n/);
    expect(text).toMatch(/\n## Page content\nThere is none: /);
    expect(await desk.open('/')).toMatch(/0: \S+\/ \[selected\]/);
    expect(await desk.uid('button "Save"')).toMatch(/^\d+_\d+$/);
  }, 60_000);

  it('is cut at an element when there is no more room, and says how much is missing', async () => {
    await desk.open('/long');
    // A late one: its uids are longer than our refs.
    desk.kit.server.list()[0]!.shown.snapshot = { number: 9_990, tab: 0 };
    for (const text of [
      await desk.ok('take_snapshot'),
      await desk.ok('hover', { uid: await desk.uid('button "Button 3 of many"') }),
    ]) {
      expect(text.length).toBeLessThanOrEqual(6_000);
      const lines = sectionOf(text, '## Page content').trimEnd().split('\n');
      const last = lines.pop();
      expect(last).toMatch(/^… \d+ of 2000 elements not shown: there is room for \d+ characters/);
      expect(lines.filter(line => !/^ *uid=\d+_\d+ \w+ ".*"/.test(line))).toEqual([]);
    }
  });

  it('is refused by the rule that forbids to read the page, after what was done', async () => {
    await desk.open('/');
    const text = await desk.ok('click', { uid: await desk.uid('link "Two"') });
    expect(text).toMatch(/^# click response\nSuccessfully clicked on the element\nThe page is now \S+\/two\n/);
    expect(text).toMatch(/## Page content\nThere is none: .*refused.*no reading of two/);
    expect(await desk.fails('take_snapshot')).toMatch(/no reading of two/);
    expect(text).not.toContain('heading');
  });
});

describe('S2-77 uids', () => {
  it('of an element that has gone, or changed, are told as such', async () => {
    await desk.open('/');
    const uid = await desk.uid('button "Remove me"');
    await desk.js('document.querySelector("#gone").remove()');
    expect(await desk.fails('click', { uid })).toMatch(
      new RegExp(
        `^${uid} \\(button "Remove me"\\) is no longer on the page.*\\nCall take_snapshot again and use a uid from it\\.`,
      ),
    );
    expect(await desk.fails('click', { uid: uid.replace(/_.*/, '_99999') })).toMatch(/_99999 was never given out/);
  });

  it('belong to one caller and one page', async () => {
    await desk.open('/');
    const uid = await desk.uid('button "Save"');
    expect((await desk.call('click', { uid }, 'another')).text).toMatch(/^There is no snapshot yet/);
    await desk.ok('new_page', { url: `${desk.site.url}/` });
    expect(await desk.fails('click', { uid })).toMatch(/stale snapshot: another page is selected now/);
    await desk.ok('select_page', { pageIdx: 0 });
    expect(await desk.ok('click', { uid })).toMatch('"saved"');
    await desk.ok('close_page', { pageIdx: 1 });
  });
});

describe('S2-58 the selected page', () => {
  it('is told once when it was closed by itself', async () => {
    await desk.open('/');
    await desk.ok('new_page', { url: `${desk.site.url}/two` });
    const { context } = desk.kit.server.list().find(({ owner }) => owner === 'local')!;
    await context.active!.page.close();
    await vi.waitFor(() => expect(context.tabs.size).toBe(1));
    expect(await desk.fails('take_snapshot')).toMatch(
      /^The selected page has been closed\. Selected now: \S+\nCall list_pages/,
    );
    expect(await desk.ok('list_pages')).toMatch(/## Pages\n0: \S+\/ \[selected\]$/);
    expect(await desk.uid('button "Save"')).toMatch(/_/);
  });
});

describe('S2-41 the journal', () => {
  it('has the translated calls', async () => {
    await desk.open('/');
    const page = await desk.ok('take_snapshot');
    await desk.ok('fill', { uid: uidIn(page, 'textbox "Name"'), value: 'a secret' });
    await desk.ok('navigate_page_history', { navigate: 'forward' });
    const file = desk.kit.server.options.journalFile;
    const last = () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .slice(-3)
        .map(line => JSON.parse(line));
    await vi.waitFor(() =>
      expect(last()).toMatchObject([
        { tool: 'snapshot', ok: true },
        { tool: 'fill', ok: true, args: { selector: expect.stringMatching(/^@e\d+$/), value: '‹8 chars›' } },
        { tool: 'navigate', ok: false, code: 'no_history', args: { action: 'forward' } },
      ]),
    );
  });
});
