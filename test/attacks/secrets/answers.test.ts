// A page that repeats what is typed: the value of a secret is in no answer and in no file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../src/call/call.ts';
import { found, shown, useSecrets, VALUE } from './echo.ts';

const all = useSecrets();

describe('15.3 on a page that repeats what is typed', () => {
  /** Every answer about the page; `more` for the last ones. */
  async function answers(): Promise<Map<string, Result>> {
    const calls: [string, Record<string, unknown>][] = [
      ['snapshot', {}],
      ['snapshot', { style: 'list' }],
      ['snapshot', { style: 'short' }],
      ['snapshot', { since: 'last' }],
      ['read', {}],
      ['read', { plain: true }],
      ['read', { plain: true, offset: 5, max_chars: 200 }],
      ['query', { by: 'role', value: 'paragraph', return: 'all' }],
      ['query', { selectors: { it: '#plain' } }],
      ['find', { text: 'T' }],
      ['evaluate', { expression: '({ v: pw.value, list: [document.body.innerText], [pw.value]: 1 })' }],
      ['evaluate', { expression: 'document.documentElement.outerHTML' }],
      ['evaluate', { expression: 'throw new Error(pw.value)' }],
      ['console', {}],
      ['network_log', {}],
      ['network_log', { details: `${all.kit.site.url}/api/echo` }],
      ['cookies', { action: 'get', name: 'kept' }],
      ['cookies', { action: 'get_all' }],
      ['cookies', { action: 'export' }],
      ['storage', { action: 'entries', whole: true }],
      ['storage', { action: 'get', key: 'kept' }],
      ['url', {}],
      ['title', {}],
      ['tab_list', {}],
      ['session_list', {}],
      ['wait', { for: 'text', text: 'nothing such', timeout: 300 }],
      ['click', { selector: 'text:nothing such', timeout: 300 }],
      ['batch', { calls: [{ tool: 'title' }, { tool: 'url' }] }],
    ];
    const found = new Map<string, Result>();
    for (const [tool, args] of calls) found.set(`${tool} ${JSON.stringify(args)}`, await all.kit.call(tool, args));
    return found;
  }

  it.each([
    ['fill', { selector: '#pw', value: '{{secret:shop}}' }],
    ['type', { selector: '#pw', text: '{{secret:shop}}', delay: 0 }],
    ['fill_form', { fields: [{ selector: '#pw', value: '{{secret:shop}}' }] }],
    ['batch', { calls: [{ tool: 'fill', args: { selector: '#pw', value: '{{ secret:shop }}' } }] }],
    ['chrome_fill_or_select', { selector: '#pw', value: '{{secret:shop}}' }],
  ])('the value is in no answer after %s', async (tool, args) => {
    await all.showEcho();
    const done = await all.kit.call(tool, args);
    expect(done.ok, done.text).toBe(true);
    expect(found(shown(done))).toEqual([]);
    await expect
      .poll(() => all.kit.site.requests.some(({ body }) => body.includes('Tr0ub4dor%263+%22x%22')))
      .toBe(true);
    for (const [call, answer] of await answers()) {
      expect(found(shown(answer)), `${call}: ${answer.text}`).toEqual([]);
    }
    expect((await all.kit.call('title')).text).toBe('[secret shop]');
    expect((await all.kit.call('url')).text).toContain('#[secret shop]');
    // It was really there.
    expect((await all.kit.call('evaluate', { expression: 'pw.value.length' })).text).toBe(String(VALUE.length));
  });

  it('nor in differences and receipts, when it comes, is changed and goes', async () => {
    await all.showEcho();
    const answers: Result[] = [];
    const call = async (tool: string, args: Record<string, unknown>) =>
      void answers.push(await all.kit.call(tool, args));
    const looks: Record<string, unknown>[] = [{ style: 'tree' }, { style: 'short' }];
    for (const look of looks) await call('snapshot', look);
    await call('fill', { selector: '#pw', value: '{{secret:shop}}', receipt: 'full' });
    for (const look of looks) await call('snapshot', { ...look, since: 'last' });
    const script = `const more = document.createElement('dialog');
      more.innerHTML = '<form><input name=contains aria-label="' + pw.value.replaceAll('"', '&quot;') + '"></form>';
      more.append(pw.value); document.body.append(more); tell.onclick = () => {
        if (more.open) for (const el of [more, plain, mixed, link]) el.remove();
        else more.show();
        console.error(pw.value); fetch('/' + encodeURIComponent(pw.value) + '/x', { method: 'POST' });
      }`;
    await call('evaluate', { expression: script });
    for (const _ of ['shown', 'gone']) {
      await call('click', { selector: '#tell', receipt: 'full' });
      for (const look of looks) await call('snapshot', { ...look, since: 'last' });
    }
    expect(answers.map(answer => found(shown(answer)))).toEqual(answers.map(() => []));
    const told = answers.map(({ text }) => text).join('\n');
    expect(told).toContain('Gone: ');
    for (const words of [
      'Console error: "[secret shop]"',
      'POST /[secret shop]/x: 404',
      'Since the last snapshot of [secret shop]',
    ])
      expect(told).toContain(words);
  });

  it('nor in a dialog', async () => {
    await all.showEcho();
    await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}' });
    const clicked = await all.kit.call('click', { selector: '#tell' });
    expect(clicked.text).toContain('It is [secret shop]');
    const blocked = await all.kit.call('snapshot');
    const handled = await all.kit.call('handle_dialog', { action: 'accept' });
    expect(found([clicked, blocked, handled].map(shown).join('\n'))).toEqual([]);
  });

  it('nor after another start, from what the session kept', async () => {
    await all.showEcho('kept');
    await all.kit.call('fill', { selector: '#pw', value: '{{secret:shop}}', session: 'kept' });
    await all.kit.restart();
    const storage = await all.kit.call('storage', { action: 'get', key: 'kept', session: 'kept' });
    expect(shown(storage)).toContain('[secret shop]');
    const cookies = await all.kit.call('cookies', { action: 'get_all', session: 'kept' });
    expect(found(shown(storage) + shown(cookies))).toEqual([]);
    await all.kit.call('session_close', { session: 'kept' });
  });

  it('nor in files: HAR, trace, snapshot, body of an answer, journal', async () => {
    await all.showEcho();
    await all.kit.ok('capture', { action: 'start', include_bodies: true });
    await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}' });
    await all.kit.ok('evaluate', {
      expression: "fetch('/api/echo', { method: 'POST', body: pw.value }).then(answer => answer.text())",
    });
    await all.kit.ok('capture', { action: 'stop', save_path: 'requests.har' });
    await all.kit.ok('capture', { action: 'start', mode: 'trace' });
    await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}' });
    await all.kit.ok('capture', { action: 'stop', mode: 'trace', save_path: 'trace.json' });
    await all.kit.ok('snapshot', { save_path: 'page.txt' });
    await all.kit.ok('request', {
      url: `${all.kit.site.url}/api/echo`,
      method: 'POST',
      body: '{{secret:shop}}',
      save_path: 'answer.json',
    });
    const { outputDir, journalFile } = all.kit.server.options;
    await all.kit.restart();
    for (const name of ['requests.har', 'trace.json', 'page.txt', 'answer.json']) {
      const text = readFileSync(join(outputDir, name), 'utf8');
      expect(found(text), name).toEqual([]);
      expect(text, name).toContain('[secret shop]');
      if (/har$|^trace/.test(name)) JSON.parse(text);
    }
    const journal = readFileSync(journalFile, 'utf8');
    expect(journal.split('\n').length).toBeGreaterThan(10);
    expect(found(journal)).toEqual([]);
  });
});
