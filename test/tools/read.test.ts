// Read: the main content as Markdown, in parts when it is long; the page stays as it was.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

const WORDS = 'The path leads past three gardens and a ruined mill into the hills, where nobody has been for years. ';

const ARTICLE = `<!doctype html><html lang="en"><head><title>On paths | The Daily</title>
<meta name="author" content="Robin Field"><meta property="og:site_name" content="The Daily">
<meta property="article:published_time" content="2024-03-03"></head>
<body><header><nav><a href="/home">Home</a> <a href="/more">More news</a></nav></header>
<article><h1>On paths</h1><p>${WORDS.repeat(3)} See <a href="../maps/one?a=1#top">the map</a> and <a href="#note">the note</a>, not <a href="javascript:void 0">this</a>.</p>
<h2>Ways</h2><ul><li>Up<ul><li>by foot</li><li>by <code>snake_case</code></li></ul></li><li>Down</li></ul><ol start="3"><li>Three</li><li>Four</li></ol>
<pre><code class="language-js">const a = 1;

if (a) { b(); }</code></pre>
<table><thead><tr><th>Way</th><th>Length</th></tr></thead><tbody><tr><td>Up | over</td><td>3 <b>km</b></td></tr><tr><td>Down</td><td></td></tr></tbody></table>
<blockquote><p>A road is a sentence.</p></blockquote><p><img alt="A hill" src="/hill.png"> <img src="/space.gif">${WORDS.repeat(3)}</p>
<p hidden>Never seen</p><p style="display: none">Nor this</p><script>var no = 'script text';</script></article>
<aside class="related sidebar"><a href="/a">Other things to read</a></aside><footer>Imprint and more</footer></body></html>`;

/** A page whose own rules forbid scripts to write HTML. */
const STRICT = {
  'content-security-policy': "require-trusted-types-for 'script'; default-src 'self'; script-src 'none'",
};

let kit: Kit;
let server: Server;
let url: string;
beforeAll(async () => {
  kit = await startKit();
  server = createServer((request, response) => {
    const strict = request.url === '/strict' ? STRICT : {};
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...strict });
    response.end(
      ARTICLE.replace(
        '<article>',
        request.url === '/framed' ? '<iframe src="/news/2024/paths"></iframe><article>' : '<article>',
      ),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await kit.close();
});

const read = (more: Record<string, unknown> = {}) => kit.ok('read', more);

describe('read: an article', () => {
  it('title, byline, site, day and address; then headings, lists, code, tables, quotes and absolute links', async () => {
    await kit.open(`${url}/news/2024/paths`);
    const words = WORDS.repeat(3).trim();
    expect(await read()).toBe(`# On paths | The Daily
By Robin Field · The Daily · 2024-03-03
${url}/news/2024/paths

${words} See [the map](${url}/news/maps/one?a=1#top) and the note, not this.

## Ways

- Up
  - by foot
  - by \`snake_case\`
- Down

3. Three
4. Four

\`\`\`js
const a = 1;

if (a) { b(); }
\`\`\`

| Way | Length |
| --- | --- |
| Up \\| over | 3 **km** |
| Down |  |

> A road is a sentence.

![A hill](${url}/hill.png) ${words}`);
  });

  it('tells the facts beside the text', async () => {
    await kit.open(`${url}/news/2024/paths`);
    const { data } = await kit.call('read');
    expect(data).toMatchObject({
      title: 'On paths | The Daily',
      byline: 'Robin Field',
      site: 'The Daily',
      kind: 'article',
      url: `${url}/news/2024/paths`,
    });
  });

  it('does not change the page', async () => {
    await kit.open(`${url}/news/2024/paths`);
    const before = await js(kit, 'document.documentElement.outerHTML');
    await read();
    expect(await js(kit, 'document.documentElement.outerHTML')).toBe(before);
    expect(await js(kit, 'typeof Readability + typeof TurndownService')).toBe('undefinedundefined');
  });

  it('works where the page forbids scripts to write HTML', async () => {
    await kit.open(`${url}/strict`);
    expect(await read()).toContain('## Ways');
  });
});

describe('read: other pages', () => {
  it('without an article: the main part, without what leads elsewhere', async () => {
    await show(
      kit,
      `<nav>Home Products</nav><main><h1>Board</h1><p>Two tickets.</p><ul><li><a href="https://example.com/1">One</a></li></ul><button>New</button></main><footer>Imprint</footer>`,
    );
    const text = await read();
    expect(text).toContain('# Board\n\nTwo tickets.\n\n- [One](https://example.com/1)');
    for (const word of ['Products', 'Imprint', 'New']) expect(text.slice(text.indexOf('# Board'))).not.toContain(word);
  });

  it('shadow trees, slots, lines of code that are blocks, formulas, quotes, tables that only lay out', async () => {
    await show(
      kit,
      `<main><my-card><b>slotted</b></my-card><pre><div>one</div><div>two</div><span>three<br>four</span></pre>
       <p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math> and <q>said</q></p>
       <table><tr><td><p>Left</p></td></tr><tr><td><p>Right</p></td></tr></table></main>
       <script>customElements.define('my-card', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<h2>In the shadow</h2><p>With <slot></slot> text</p>'; } })</script>`,
    );
    expect(await read()).toContain(
      '## In the shadow\n\nWith **slotted** text\n\n```\none\ntwo\nthree\nfour\n```\n\n$x^2$ and “said”\n\nLeft\n\nRight',
    );
  });

  it('plain text and JSON', async () => {
    await kit.open('/api/echo');
    expect(await read()).toMatch(/```\n\{"method":"GET"/);
  });

  it('nothing to read', async () => {
    await show(kit, '<button>Only this</button>');
    expect(await kit.fails('read')).toMatchObject({
      code: 'not_found',
      text: expect.stringContaining('There is no text to read'),
    });
  });
});

describe('read: parts', () => {
  it('selector: only that element, also by ref', async () => {
    await kit.open(`${url}/news/2024/paths`);
    expect(await read({ selector: 'table' })).toMatch(/^\| Way \| Length \|\n\| --- \| --- \|\n/);
    expect(await read({ selector: 'pre' })).toMatch(/^```js\nconst a/);
    expect(await read({ selector: await kit.ref('heading "Ways"') })).toBe('## Ways');
    expect((await kit.fails('read', { selector: 'li' })).code).toBe('ambiguous');
    await show(kit, '<button>Only this</button>');
    expect(await read({ selector: 'button' })).toBe('Only this');
  });

  it('the main frame, or another by frameId', async () => {
    await kit.open(`${url}/framed`);
    expect(await read()).toContain(`${url}/framed`);
    await kit.open('/signup-in-cross-origin-iframe.html');
    const frameId = Number(/\[frame=(\d+)\]/.exec(await kit.ok('snapshot'))?.[1]);
    expect(await read({ frameId })).toContain('Create your account');
    expect(await read()).not.toContain('Create your account');
  });

  it('offset goes on where the last part ended; together they are the whole', async () => {
    const pieces = Array.from(
      { length: 60 },
      (_, at) => `<h2>Part ${at}</h2><p>${WORDS.repeat(4)}</p><pre>line ${at}\n\nnext</pre>`,
    );
    await show(kit, `<main>${pieces.join('')}</main>`);
    const whole = await kit.call('read', { max_chars: 10_000_000 });
    expect(whole.text.length).toBeLessThanOrEqual(25_000);
    const parts: string[] = [];
    let offset = 0;
    for (let next: number | undefined = 0; next !== undefined; ) {
      const { text, data } = await kit.call('read', { offset: next, max_chars: 3_000 });
      expect(text.length).toBeLessThanOrEqual(3_000);
      expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
      parts.push(text.replace(/\n\n\[\d+ of \d+ characters\. Go on with offset: \d+\.\]$/, ''));
      offset = next;
      next = (data as { next?: number }).next;
      if (next !== undefined) expect(text).toMatch(new RegExp(`Go on with offset: ${next}\\.\\]$`));
    }
    const all = parts.join('\n\n');
    for (let at = 0; at < 60; at++) expect(all).toContain(`## Part ${at}\n\nThe path`);
    expect(all.match(/\nline \d+\n\nnext\n/g)).toHaveLength(60);
    expect((await kit.fails('read', { offset: offset + 1_000_000 })).text).toMatch(/has only \d+ characters/);
  });

  it.each([
    [{ offset: -1 }, /offset/],
    [{ max_chars: 10 }, /max_chars/],
  ])('%j is bad_input', async (args, said) => {
    const { code, text } = await kit.fails('read', args);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });
});
