// Truth about documents: refs of frames that navigate, go or come back, and of pages left and returned to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js, show, textOf } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const FRAMES = ['/signup-in-iframe.html', '/signup-in-cross-origin-iframe.html'];

async function staleAtOnce(selector: string): Promise<void> {
  const result = await kit.call('fill', { selector, value: 'x' });
  expect(result.failure?.code, result.text).toBe('stale_ref');
  expect(result.ms).toBeLessThan(4_000);
}

describe('S1-04 refs of a frame', () => {
  it.each(FRAMES)('%s: the frame is removed', async path => {
    await kit.open(path);
    const ref = await kit.ref('textbox "Full name"');
    await js(kit, 'document.querySelector("iframe").remove()');
    await staleAtOnce(ref);
  });

  it.each(FRAMES)('%s: the frame shows another document with an equal form', async path => {
    await kit.open(path);
    const ref = await kit.ref('textbox "Full name"');
    const frame = 'document.querySelector("iframe")';
    await js(kit, `new Promise(done => { ${frame}.onload = () => done(1); ${frame}.src += '?again' })`);
    await staleAtOnce(ref);
    expect(await kit.ref('textbox "Full name"')).not.toBe(ref);
  });

  it('a frame that moves from this site to another one and back', async () => {
    await kit.open('/signup-in-iframe.html');
    for (const site of [kit.site.otherSiteUrl, kit.site.url]) {
      await js(
        kit,
        `new Promise(done => { const frame = document.querySelector('iframe'); frame.onload = () => done(1); frame.src = '${site}/signup.html' })`,
      );
      const ref = await kit.ref('textbox "Full name"');
      await kit.ok('fill', { selector: ref, value: site });
      expect(await kit.ref('textbox "Full name"', site)).toBe(ref);
    }
  });

  it('refs of the page stay when only its frame changes', async () => {
    await kit.open('/signup-in-iframe.html');
    const ref = await kit.ref('link "Read about us first"');
    await js(kit, 'document.querySelector("iframe").src = "/article.html"');
    expect(await kit.ok('click', { selector: ref })).toMatch(/now at .*article\.html/);
  });

  it('a form sent inside a frame: the next snapshot has the answer', async () => {
    await kit.open('/article.html');
    await js(
      kit,
      'document.body.innerHTML = \'<iframe srcdoc="<form action=/slow><input type=hidden name=ms value=500><button>Send</button></form>"></iframe>\'',
    );
    await kit.ok('wait', { for: 'function', function: 'return frames[0].document.querySelector("button")' });
    await kit.ok('click', { selector: await kit.ref('button "Send"') });
    expect(await kit.ok('snapshot')).toContain('Answered after 500 ms.');
  });
});

describe('S1-04 refs of a page that is left', () => {
  it('and returned to by back: the same element or stale, never another one', async () => {
    await kit.open('/replaced.html');
    const ref = await kit.ref('button "Pay"');
    await kit.open('/signup.html');
    expect((await kit.fails('click', { selector: ref })).code).toBe('stale_ref');
    await kit.ok('back');
    const result = await kit.call('click', { selector: ref });
    if (!result.ok) expect(result.failure?.code).toBe('stale_ref');
    expect(await textOf(kit, '#log')).toBe(result.ok ? 'Pay on version 1' : '');
  });

  it('document.open and document.write: the old element is gone', async () => {
    await show(kit, '<button>Old</button>');
    const ref = await kit.ref('button "Old"');
    await js(
      kit,
      'document.open(); document.write(\'<button onclick="document.title=1">Old</button>\'); document.close()',
    );
    await staleAtOnce(ref);
    expect(await kit.ok('title')).not.toBe('1');
  });
});

describe('S1-08 equal elements', () => {
  it('have refs of their own, and each ref hits its own', async () => {
    await show(
      kit,
      `${[1, 2, 3].map(n => `<button onclick="log.textContent=${n}">Edit</button>`).join('')}<p id="log"></p>`,
    );
    const refs = [...(await kit.ok('snapshot')).matchAll(/button "Edit" \[ref=(@e\d+)\]/g)].map(match => match[1]);
    expect(new Set(refs).size).toBe(3);
    for (const [index, selector] of refs.entries()) {
      await kit.ok('click', { selector });
      expect(await textOf(kit, '#log')).toBe(String(index + 1));
    }
  });

  it('one that lets clicks through is not clicked, and what would be hit is named', async () => {
    await show(
      kit,
      '<div id="behind" onclick="log.textContent=\'behind\'"><button style="pointer-events:none">Ghost</button></div><p id="log"></p>',
    );
    const { code, text } = await kit.fails('click', { selector: await kit.ref('"Ghost"'), timeout: 1_500 });
    expect(code).toBe('not_actionable');
    expect(text).toContain('<div#behind>');
    expect(await textOf(kit, '#log')).toBe('');
  });

  it('under a header that sticks to the top: scrolled clear of it and clicked', async () => {
    await show(
      kit,
      `<div style="position:sticky;top:0;height:300px;background:#ccc">Header</div><div style="height:2000px"></div><button onclick="log.textContent='hit'">Low</button><div style="height:2000px"></div><p id="log"></p>`,
    );
    await js(kit, 'scrollTo(0, 2150)');
    await kit.ok('click', { selector: 'text:Low' });
    expect(await textOf(kit, '#log')).toBe('hit');
  });
});
