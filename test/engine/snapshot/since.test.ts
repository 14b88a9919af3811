// Snapshots with since: "last": what they say is the difference of two whole snapshots, whatever has happened to the page.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { js, show } from '../../tools/page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const whole = (args = {}) => kit.ok('snapshot', args);
const since = (args = {}) => kit.ok('snapshot', { ...args, since: 'last' });
const withoutFirst = (text: string): string[] => text.replaceAll(/@e\d+/g, '@eN').split('\n').slice(1);

const PAGE = `<main><h1>Shop</h1>
<ul aria-label="Cart"><li>Milk <button>Remove milk</button></li><li>Tea <button>Remove tea</button></li></ul>
<form aria-label="Order"><label>Name <input id="name"></label><button id="go">Order</button></form></main>`;

describe('since: "last"', () => {
  it('what appeared, changed and went, below one line of ancestors', async () => {
    await show(kit, PAGE);
    await whole();
    await js(
      kit,
      `const li = document.createElement('li'); li.innerHTML = 'Rice <button>Remove rice</button>';
       document.querySelector('ul').append(li); document.querySelector('li').remove();
       document.querySelector('#go').disabled = true`,
    );
    const text = await since();
    expect(text.split('\n')[0]).toMatch(
      /^Since the last snapshot of Made \(data:.*\): 2 appeared \(\+\), 1 changed \(~\), 1 went \(-\)\.$/,
    );
    expect(withoutFirst(text)).toEqual([
      'in main > list "Cart" @eN',
      '  - listitem: "Milk" [1 inside]',
      '  + listitem: "Rice"',
      '    + button "Remove rice" [ref=@eN]',
      'in main > form "Order" @eN',
      '  ~ button "Order" [ref=@eN] [disabled]',
    ]);
  });

  it('one line when nothing has changed, and refs stay', async () => {
    await show(kit, PAGE);
    const first = await whole();
    const text = await since();
    expect(text).toMatch(/^Nothing has changed since the last snapshot of Made \(data:.*\)\.$/);
    expect(text).not.toContain('\n');
    await js(kit, `document.querySelector('#name').value = 'Ada'`);
    const ref = /textbox "Name" \[ref=(@e\d+)\]/.exec(first)?.[1];
    expect(await since()).toContain(`  ~ textbox "Name" [ref=${ref}] [value="Ada"]`);
    expect(await since()).toMatch(/^Nothing has changed/);
  });

  it('rows in another order have moved, and it says behind what', async () => {
    await show(kit, PAGE);
    await whole();
    await js(kit, `document.querySelector('ul').prepend(document.querySelector('li:last-child'))`);
    expect(withoutFirst(await since())).toEqual(['in main > list "Cart" @eN', '  > listitem: "Tea"']);
    await js(kit, `document.querySelector('ul').append(document.querySelector('li'), document.createElement('li'))`);
    expect((await since()).split('\n').slice(2).join('\n')).toMatch(/^ {2}> listitem: "Milk"$|= .*\n {2}> listitem/);
  });

  it('is whole: the first of a tab, after a navigation, of another view', async () => {
    await show(kit, PAGE);
    expect(await since()).toContain('- heading "Shop"');
    expect(await since()).toMatch(/^Nothing has changed/);
    expect(await since({ mode: 'interactive' })).toContain('- button "Order"');
    await show(kit, `${PAGE}<p>Again</p>`);
    expect(await since()).toContain('- heading "Shop"');
    expect(await since({ mode: 'interactive' })).toContain('- button "Order"');
  });

  it('stays within its budget, and says what is missing', async () => {
    await show(kit, '<ul aria-label="Log"></ul>');
    await whole({ max_chars: 1_000 });
    await js(kit, `document.querySelector('ul').innerHTML = '<li>Some entry</li>'.repeat(200)`);
    const text = await since({ max_chars: 1_000 });
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(
      /^Since .*: 200 appeared \(\+\)[\s\S]*… \d+ of 200 differences not shown \(limit 1000 characters\)/,
    );
  });
});

/** A page of four trees: the document, an open and a closed shadow root, and a frame. */
const TREES = `<div id="t0"></div><div id="h1"></div><div id="h2"></div><iframe title="Inner" srcdoc="<body id='t3'></body>"></iframe>`;
const SEED = `<ul aria-label="List"><li>one <button>One</button></li><li>two</li></ul><p>Some <a href="#">words</a> here</p>
<section aria-label="Part"><h2>Title</h2><input aria-label="Field"><div>loose text</div></section>`;
const PREPARE = `new Promise(done => {
  const roots = [document.querySelector('#t0'), document.querySelector('#h1').attachShadow({ mode: 'open' }),
    document.querySelector('#h2').attachShadow({ mode: 'closed' })];
  const frame = document.querySelector('iframe');
  const begin = () => {
    const body = frame.contentDocument?.querySelector('#t3');
    if (!body) return setTimeout(begin, 5);
    window.trees = [...roots, body];
    for (const tree of window.trees) tree.innerHTML = ${JSON.stringify(SEED)};
    done(true);
  };
  begin();
})`;

/** What happens to the element with that number in one of the trees. */
const EDITS = {
  button: `e.append(Object.assign(doc.createElement('button'), { textContent: word }))`,
  item: `(e.closest('ul') ?? e).append(Object.assign(doc.createElement('li'), { textContent: word }))`,
  paragraph: `e.after(Object.assign(doc.createElement('p'), { textContent: word }))`,
  remove: 'e.remove()',
  text: 'e.textContent = word',
  name: `e.setAttribute('aria-label', word)`,
  disable: `e.toggleAttribute('disabled')`,
  value: 'e.value = word',
  hide: 'e.hidden = !e.hidden',
  last: 'e.parentNode.append(e)',
  reverse: 'e.append(...[...e.childNodes].reverse())',
  again: 'e.replaceWith(e.cloneNode(true))',
  wrap: `{ const box = doc.createElement('section'); e.replaceWith(box); box.append(e) }`,
  none: '',
};

const edit = fc.record({
  tree: fc.nat(3),
  at: fc.nat(30),
  how: fc.constantFrom(...(Object.keys(EDITS) as (keyof typeof EDITS)[])),
  word: fc.constantFrom('one', 'two', 'Alpha', 'words, and more', 'say "so"'),
});

const script = ({ tree, at, how, word }: { tree: number; at: number; how: keyof typeof EDITS; word: string }): string =>
  `{ const all = window.trees[${tree}].querySelectorAll('*'); const e = all[${at} % (all.length || 1)];
     if (e) { const doc = e.ownerDocument; const word = ${JSON.stringify(word)}; ${EDITS[how]} } }`;

/** A line without its indent, its ref, and how deep it is. */
interface Shown {
  body: string;
  ref: string | undefined;
  depth: number;
}
const shownIn = (line: string): Shown => ({
  body: line.replace(/^ *(?:- ?)?/, ''),
  depth: line.search(/\S/),
  ref: /(?<!in )(?:^|\[ref=| )(@e\d+)(?=[\] :])/.exec(line.replace(/^ */, ''))?.[1],
});
const treeOf = (text: string): Shown[] => {
  const lines = text.split('\n');
  return lines.slice(lines.indexOf('') + 1 || 1).map(shownIn);
};

function without(all: Shown[], taken: Shown[]): Shown[] {
  const counts = new Map<string, number>();
  for (const { body } of taken) counts.set(body, (counts.get(body) ?? 0) + 1);
  return all.filter(({ body }) => {
    const left = counts.get(body) ?? 0;
    counts.set(body, left - 1);
    return left <= 0;
  });
}

/** Compares what the difference says with the texts before and after it. */
function check(before: string, difference: string, after: string): void {
  const [a, b] = [treeOf(before), treeOf(after)];
  const signed = difference.split('\n').flatMap(line => {
    const [, sign = '', body = ''] = /^ *([+~>-]) (.*)$/.exec(line) ?? [];
    return sign ? [{ sign, ...shownIn(body), body }] : [];
  });
  const of = (...signs: string[]) => signed.filter(({ sign }) => signs.includes(sign));
  if (before === after) expect(signed.filter(({ sign, ref }) => sign !== '>' || ref !== undefined)).toEqual([]);
  else expect(signed).not.toEqual([]);
  // What is said to be there now is there, and what is new in the text is said.
  expect(without(of('+', '~', '>'), b)).toEqual([]);
  expect(without(without(b, a), of('+', '~'))).toEqual([]);
  // The numbers fit.
  const inside = of('-').reduce((sum, { body }) => sum + 1 + Number(/ \[(\d+) inside\]$/.exec(body)?.[1] ?? 0), 0);
  expect(a.length - inside + of('+').length).toBe(b.length);
  expect(
    without(
      of('-').map(line => ({ ...line, body: line.body.replace(/ \[\d+ inside\]$/, '') })),
      a,
    ),
  ).toEqual([]);
  // Elements by their refs: new ones appeared, those that say something else changed, the rest is in the same order or moved.
  const [was, is] = [a, b].map(lines => new Map(lines.flatMap(({ ref, body }) => (ref ? [[ref, body]] : []))));
  const refs = (lines: Shown[]) => lines.flatMap(({ ref }) => ref ?? []).sort();
  const now = [...(is?.keys() ?? [])];
  // A line that had no ref before, because it had no name, has changed.
  const unknown = now.filter(ref => !was?.has(ref));
  expect(unknown.filter(ref => !refs(of('+', '~')).includes(ref))).toEqual([]);
  expect(refs(of('+')).filter(ref => !unknown.includes(ref))).toEqual([]);
  const changed = now.filter(ref => was?.has(ref) && was.get(ref) !== is?.get(ref)).sort();
  expect(refs(of('~')).filter(ref => was?.has(ref))).toEqual(changed);
  for (const { ref } of of('-')) if (ref) expect(is?.has(ref)).toBe(false);
  if (!of('>', '~').every(({ ref }) => ref && was?.has(ref))) return;
  const moved = new Set(refs(of('~', '>')));
  expect(standing(a, ref => is?.has(ref) && !moved.has(ref))).toEqual(
    standing(b, ref => was?.has(ref) && !moved.has(ref)),
  );
}

/** The refs in order, without those that do not stay where they are, and all below them. */
function standing(lines: Shown[], stays: (ref: string) => boolean | undefined): string[] {
  let deepest = Number.POSITIVE_INFINITY;
  return lines.flatMap(({ ref, depth }) => {
    if (depth > deepest) return [];
    deepest = ref && !stays(ref) ? depth : Number.POSITIVE_INFINITY;
    return ref && stays(ref) ? [ref] : [];
  });
}

it('equals the difference of two whole snapshots, for random changes in the document, shadow roots and frames', async () => {
  const styles = fc.constantFrom('tree', 'list');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      styles,
      async (rounds, style) => {
        await show(kit, TREES);
        await js(kit, PREPARE);
        let before = await whole({ style });
        for (const edits of rounds) {
          await js(kit, edits.map(script).join('\n'));
          const difference = await since({ style });
          const after = await whole({ style });
          check(before, difference, after);
          before = after;
        }
      },
    ),
    { numRuns: 40, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: false },
  );
}, 60_000);
