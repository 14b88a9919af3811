// Marks: the same from a capture and from inside the page, different when an element says something else.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import * as builtIn from '../../../src/engine/inpage/built-in.ts';
import { decode, type ProcessSnapshot } from '../../../src/engine/snapshot/capture/decode.ts';
import { elementFingerprint, nodeFingerprint } from '../../../src/engine/snapshot/capture/fingerprint.ts';
import type { SnapNode } from '../../../src/engine/snapshot/capture/node.ts';
import { byId, h, type Kid, pageOf } from './build.ts';

/** A captured node in the clothes of a DOM element, for pages without shadow roots. */
function asElement(n: SnapNode): Element {
  const at = (list: SnapNode[], index: number): Element | null => (list[index] ? asElement(list[index]) : null);
  const kids = n.kids.filter(kid => !kid.pseudo);
  const siblings = n.parent?.kids.filter(kid => !kid.pseudo) ?? [];
  const labels = n.tag.includes('-') ? undefined : n.doc.labels.get(n)?.map(asElement);
  const fake = {
    nodeType: n.type,
    nodeValue: n.type === 3 ? n.raw : null,
    localName: n.tag,
    shadowRoot: null,
    labels,
    ownerDocument: n.doc,
    getRootNode: () => (n.shadow ? {} : n.doc),
    getAttribute: (name: string) => n.attrs[name] ?? null,
    get lastChild() {
      return at(kids, kids.length - 1);
    },
    get previousSibling() {
      return at(siblings, siblings.indexOf(n) - 1);
    },
  };
  return fake as unknown as Element;
}

vi.stubGlobal('tabwright', builtIn);

const RECORDED = new URL('./recorded/', import.meta.url);
const recordings = readdirSync(RECORDED).filter(name => name.endsWith('.json') && !name.includes('shadow'));

test.each(recordings)('both sides agree on every element of %s', name => {
  const page = decode(JSON.parse(readFileSync(new URL(name, RECORDED), 'utf8')) as ProcessSnapshot[]);
  const elements = page.docs.flatMap(doc => doc.nodes).filter(n => n.type === 1 && !n.pseudo);
  expect(elements.length).toBeGreaterThan(10);
  for (const n of elements) expect(elementFingerprint(asElement(n))).toBe(nodeFingerprint(n));
});

test('the function for the page stands alone', () => {
  const alone = new Function(`return (${elementFingerprint.toString()})`)() as typeof elementFingerprint;
  const n = byId(pageOf(h('button', { attrs: { id: 'it', title: 'T' } }, 'Save')), 'it');
  expect(alone(asElement(n))).toBe(nodeFingerprint(n));
});

describe('what it tells', () => {
  const markIn = (...made: Kid[]) => nodeFingerprint(byId(pageOf(...made), 'it'));
  const attrs = { id: 'it' };

  test('another text, label or attribute is another mark', () => {
    const marks = [
      markIn(h('button', { attrs }, 'Save')),
      markIn(h('button', { attrs }, 'Delete')),
      markIn(h('button', { attrs: { ...attrs, 'aria-label': 'Save' } }, 'Save')),
      markIn(h('a', { attrs }, 'Save')),
      markIn(h('input', { attrs })),
      markIn(h('label', { attrs: { for: 'it' } }, 'Name'), h('input', { attrs })),
    ];
    expect(new Set(marks).size).toBe(marks.length);
  });

  test('whitespace, values and what comes after 120 characters do not count', () => {
    const long = 'x'.repeat(130);
    expect(markIn(h('p', { attrs }, '  a ', h('b', {}, 'b')))).toBe(markIn(h('p', { attrs }, 'a', ' b ')));
    expect(markIn(h('input', { attrs, value: 'one' }))).toBe(markIn(h('input', { attrs, value: 'two' })));
    expect(markIn(h('p', { attrs }, long, 'one'))).toBe(markIn(h('p', { attrs }, long, 'two')));
  });

  test('text next to a shadow root or a slot is left out; under a closed root nothing can be said', () => {
    const host = (shadow: 'open' | 'closed', text: string) => h('div', { attrs }, h('p', { shadow }, text));
    expect(markIn(host('open', 'one'))).toBe(markIn(host('open', 'two')));
    expect(markIn(host('open', 'one'))).not.toBe('');
    expect(markIn(host('closed', 'one'))).toBe('');
    expect(markIn(h('div', { attrs, shadow: 'open' }, h('slot', {}, 'one')))).toBe(
      markIn(h('div', { attrs, shadow: 'open' }, h('slot', {}, 'two'))),
    );
  });

  test('a huge element costs no more than a small one', () => {
    const page = pageOf(h('div', { attrs }, ...Array.from({ length: 20_000 }, () => h('i'))));
    const n = byId(page, 'it');
    const start = performance.now();
    for (let i = 0; i < 50; i++) nodeFingerprint(n);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
