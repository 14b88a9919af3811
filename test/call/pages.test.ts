// Rules on real pages: the address that a page has come to counts, however it came there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function policy(text: string): string[] {
  const path = join(folder, 'policy.yaml');
  writeFileSync(path, text);
  return ['--policy', path];
}

describe('a rule about urls', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit(
      ...policy(`rules:
  - name: hands-off-signup
    decision: deny
    url: "http://127.0.0.1:*/signup.html"
  - name: no-own-scripts
    decision: deny
    effect: danger
    tool: evaluate
    url: "http://127.0.0.1:*/todo.html"
`),
    );
  });
  afterAll(() => kit.close());
  afterEach(() => kit.open('/todo.html'));

  it('refuses to open the page, by navigate, tab_new and request', async () => {
    const url = `${kit.site.url}/signup.html`;
    for (const tool of ['navigate', 'tab_new', 'window_new', 'request'])
      expect(await kit.fails(tool, { url }), tool).toMatchObject({
        code: 'refused',
        text: expect.stringContaining(`${tool} is refused: rule "hands-off-signup".`),
      });
  });

  it('refuses to act on it when the page went there by itself, and lets the caller leave', async () => {
    await kit.open('/login.html');
    await kit.ok('evaluate', { expression: "void setTimeout(() => location.assign('/signup.html'))" });
    await expect.poll(async () => (await kit.call('tab_list')).text, { timeout: 10_000 }).toContain('/signup.html');
    for (const [tool, args] of [
      ['snapshot', {}],
      ['click', { selector: 'role:button' }],
      ['evaluate', { expression: '1' }],
      ['auth_state', { action: 'save', name: 'x' }],
      ['console', {}],
      ['cookies', { action: 'get_all' }],
    ] as const)
      expect(await kit.fails(tool, args), tool).toMatchObject({
        code: 'refused',
        text: expect.stringContaining('rule "hands-off-signup"'),
      });
    await kit.open('/todo.html');
    expect(await kit.ok('snapshot')).toContain('todo');
  });

  it('refuses a script on one page, and allows it on another', async () => {
    await kit.open('/todo.html');
    expect(await kit.fails('evaluate', { expression: '1' })).toMatchObject({ code: 'refused' });
    await kit.open('/login.html');
    expect(await kit.ok('evaluate', { expression: '1' })).toBe('1');
  });

  it('S3-31: all of it stands in the journal, with caller, outcome and rule', async () => {
    await kit.fails('navigate', { url: `${kit.site.url}/signup.html?token=geheim-geheim` });
    const file = join(kit.folder, 'state', 'journal', 'journal.jsonl');
    const last = () => JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '{}');
    await expect
      .poll(last, { timeout: 10_000 })
      .toMatchObject({ caller: 'local', tool: 'navigate', ok: false, code: 'refused', rule: 'hands-off-signup' });
    expect(readFileSync(file, 'utf8')).not.toContain('geheim');
  });
});

describe('a server that runs no scripts', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit('--no-scripts');
  });
  afterAll(() => kit.close());

  it.each([
    ['evaluate', { expression: '1' }],
    ['wait', { for: 'function', function: 'return true' }],
    ['route', { action: 'add', url_pattern: '**/x.js', handler: 'fulfill', response: { body: 'alert(1)' } }],
    ['navigate', { url: 'data:text/html,<script>1</script>' }],
    ['chrome_javascript', { code: '1' }],
    ['batch', { calls: [{ tool: 'evaluate', args: { expression: '1' } }] }],
  ])('refuses %s', async (tool, args) => {
    expect(await kit.fails(tool, args)).toMatchObject({
      code: 'refused',
      text: expect.stringContaining('rule "no scripts"'),
    });
  });

  it('still does what needs none', async () => {
    await kit.open('/signup.html');
    expect(await kit.ok('snapshot')).toContain('Full name');
    expect(await kit.ok('wait', { for: 'text', text: 'Create your account' })).not.toBe('');
    expect(await kit.ok('chrome_get_web_content', { textContent: true })).toContain('Create your account');
  });
});
