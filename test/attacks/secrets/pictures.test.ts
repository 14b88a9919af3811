// Pictures and recordings of a page that repeats what is typed: the value of a secret is on none of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSecrets, VALUE } from './echo.ts';

const all = useSecrets();

/** As wide as the value, where all letters are. */
const OTHER = 'Wr1nk7es+5? %y%';

async function type(value: string): Promise<void> {
  await all.keep(all.secret({ value }));
  await all.showEcho();
  await all.kit.ok('fill', { selector: '#masked', value: '{{secret:shop}}' });
  await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}' });
  await all.kit.ok('focus', { selector: '#tell' });
}

const SHOTS = [{}, { full_page: true }, { selector: '#plain' }, { selector: '#pw' }, { format: 'jpeg' }, { scale: 2 }];

async function pictures(): Promise<Buffer[]> {
  const taken: Buffer[] = [];
  for (const args of SHOTS) {
    const { pictures, text, ok } = await all.kit.call('screenshot', args);
    expect(ok, text).toBe(true);
    taken.push(...pictures.map(({ bytes }) => bytes));
  }
  return taken;
}

/** How many pixels of all frames are red, as what the page repeats is. */
async function redPixels(bytes: Buffer, type: string): Promise<number> {
  const { data } = await all.kit.call('evaluate', {
    expression: `(async () => {
      const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), letter => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type: '${type}' });
      await decoder.completed;
      await decoder.tracks.ready;
      let red = 0;
      for (let frame = 0; frame < decoder.tracks.selectedTrack.frameCount; frame++) {
        const { image } = await decoder.decode({ frameIndex: frame });
        const ctx = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
        ctx.drawImage(image, 0, 0);
        const { data } = ctx.getImageData(0, 0, image.displayWidth, image.displayHeight);
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] > 100 && data[at] > data[at + 1] + 60 && data[at] > data[at + 2] + 60) red++;
      }
      return red;
    })()`,
  });
  return Number((data as { value?: unknown }).value ?? Number.NaN);
}

describe('15.3 pictures show no secret', () => {
  it('those of two values are the same, and those of other words are not', async () => {
    await type(VALUE);
    const one = await pictures();
    await type(OTHER);
    const two = await pictures();
    expect(one).toHaveLength(SHOTS.length);
    for (const [at, bytes] of one.entries()) expect(bytes.equals(two[at] as Buffer), `picture ${at}`).toBe(true);
    const annotated = (await all.kit.call('screenshot', { annotate: true })).pictures[0]?.bytes;
    // The numbers of refs are drawn in colours of their own, the last of which is not red.
    expect(annotated).toBeDefined();
    expect(await redPixels(one[0] as Buffer, 'image/png')).toBe(0);
    await all.kit.ok('fill', { selector: '#pw', value: 'ordinary words' });
    const ordinary = (await all.kit.call('screenshot')).pictures[0]?.bytes as Buffer;
    expect(await redPixels(ordinary, 'image/png')).toBeGreaterThan(100);
  });

  it('what was hidden is shown again, and nothing of the page has changed', async () => {
    await type(VALUE);
    await all.kit.ok('evaluate', {
      expression: `void (window.changes = 0, new MutationObserver(() => changes++).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }))`,
    });
    await pictures();
    const state = await all.kit.ok('evaluate', {
      expression:
        '[changes, document.getAnimations().length, getComputedStyle(plain).opacity, document.activeElement.id].join()',
    });
    expect(state).toBe('0,0,1,tell');
  });

  it.each(['auto_capture', 'fixed_fps'])('nor do recordings (%s)', async mode => {
    const record = async (value: string) => {
      await all.showEcho();
      await all.kit.ok('record', {
        action: 'start',
        mode,
        fps: 20,
        max_frames: 2_000,
        overlays: { click_indicators: false },
      });
      await all.kit.ok('fill', { selector: '#pw', value });
      for (let left = 3; left > 0; left--) await all.kit.ok('record', { action: 'capture_frame' });
      await all.kit.ok('type', { selector: '#masked', text: value });
      for (let left = 3; left > 0; left--) await all.kit.ok('record', { action: 'capture_frame' });
      await all.kit.ok('record', { action: 'stop', save_path: 'it.gif' });
      return redPixels(readFileSync(join(all.kit.server.options.outputDir, 'it.gif')), 'image/gif');
    };
    expect(await record('{{secret:shop}}')).toBe(0);
    expect(await record('ordinary words')).toBeGreaterThan(100);
  });

  it('a page that writes it anew all the time is not pictured at all', async () => {
    await all.keep(all.secret());
    await all.kit.open(`/html?of=${encodeURIComponent('<input id=pw><div id=out></div>')}`);
    await all.kit.ok('fill', { selector: '#pw', value: '{{secret:shop}}' });
    await all.kit.ok('evaluate', {
      expression:
        'void setInterval(() => { out.innerHTML = ""; out.append(Object.assign(document.createElement("p"), { textContent: pw.value })) }, 1)',
    });
    expect((await all.kit.fails('screenshot')).text).toContain('keeps writing a secret to new places');
  });

  it('a PDF of a page that holds one is refused', async () => {
    await type(VALUE);
    const { code, text } = await all.kit.fails('pdf', { save_path: 'page.pdf' });
    expect([code, text]).toEqual(['refused', expect.stringContaining('The page holds a secret')]);
  });
});
