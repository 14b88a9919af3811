// Pages that are hostile to whoever looks at them: scripts that build them inside an empty page.
import fc from 'fast-check';
import { hostileText as anyText } from './values.ts';

/** Scripts have a bound. */
const hostileText = anyText.map(text => text.slice(0, 5_000));

/** JavaScript that gives that value in the page; halves of surrogate pairs come through too. */
const literal = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

const script = (body: string): string => `() => { const body = document.body; ${body};
 return 'built'; }`;

const ATTRIBUTES = [
  'aria-label',
  'id',
  'class',
  'value',
  'href',
  'title',
  'style',
  'alt',
  'name',
  'placeholder',
  'onclick',
  'data-x',
];
const ROLES = [
  'button',
  'link',
  'none',
  'presentation',
  'grid',
  'row',
  'combobox',
  'option',
  'textbox',
  'heading',
  'x y z',
  '',
  '\ud800',
];
const TAGS = [
  ...[
    'div',
    'a',
    'button',
    'input',
    'select',
    'option',
    'textarea',
    'label',
    'table',
    'tr',
    'td',
    'iframe',
    'svg',
    'img',
  ],
  ...[
    'details',
    'summary',
    'dialog',
    'slot',
    'template',
    'object',
    'video',
    'canvas',
    'math',
    'x-y',
    'form',
    'fieldset',
  ],
];
const REFERENCES = [
  'aria-owns',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-activedescendant',
  'for',
  'form',
  'list',
];
const STYLES = [
  ...[
    'display:none',
    'display:contents',
    'visibility:hidden',
    'opacity:0',
    'position:fixed;left:-9999px',
    'content-visibility:hidden',
  ],
  ...['transform:scale(0)', 'zoom:1000', 'width:1e9px;height:1e9px', 'font-size:0', 'clip-path:circle(0)', 'all:unset'],
];

interface Node {
  tag: string;
  attributes: [name: string, value: string][];
  text: string;
  shadow: boolean;
  children: Node[];
}

const node = fc.letrec<{ node: Node }>(tie => ({
  node: fc.record({
    tag: fc.constantFrom(...TAGS),
    attributes: fc.array(
      fc.oneof(
        fc.tuple(fc.constantFrom(...ATTRIBUTES), hostileText),
        fc.tuple(fc.constant('role'), fc.constantFrom(...ROLES)),
        fc.tuple(fc.constantFrom(...REFERENCES), fc.constantFrom('a', 'b', 'a b a', 'c', '')),
        fc.tuple(fc.constant('id'), fc.constantFrom('a', 'b', 'c')),
        fc.tuple(fc.constant('style'), fc.constantFrom(...STYLES)),
        fc.tuple(
          fc.constantFrom('aria-hidden', 'aria-modal', 'inert', 'hidden', 'contenteditable'),
          fc.constantFrom('', 'true'),
        ),
        fc.tuple(
          fc.constantFrom('aria-level', 'aria-posinset', 'tabindex', 'colspan'),
          fc.constantFrom('-1', '1e9', 'x', '99999999999'),
        ),
      ),
      { maxLength: 5 },
    ),
    text: hostileText.map(text => text.slice(0, 500)),
    shadow: fc.boolean(),
    children: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant<Node[]>([]),
      fc.array(tie('node'), { maxLength: 5 }),
    ),
  }),
})).node;

const RANDOM_TREE = `
  const make = one => {
    const element = document.createElement(one.tag);
    for (const [name, value] of one.attributes) element.setAttribute(name, value);
    element.append(one.text);
    let inside = element;
    if (one.shadow && ['div', 'x-y'].includes(one.tag)) inside = element.attachShadow({ mode: 'closed' });
    for (const child of one.children) inside.append(make(child));
    return element;
  };
  for (const one of tree) body.append(make(one));`;

const depth = fc.constantFrom(100, 1_000, 5_000, 10_000);
const count = fc.constantFrom(100, 1_000, 1_000, 5_000, 5_000, 20_000, 50_000);

/** Each kind of page: what it is, and the script that builds it. */
const KINDS: Record<string, fc.Arbitrary<string>> = {
  // Chrome itself crashes when it lays out 4 000 levels; without a layout it does not.
  deep: fc
    .tuple(depth, fc.constantFrom('div', 'span', 'b', 'ul', 'section', 'svg'), fc.constantFrom('block', 'none'))
    .map(([levels, tag, display]) =>
      script(`let at = body; body.style.display = '${display}'; for (let i = 0; i < ${levels}; i++) at = at.appendChild(document.createElement('${tag}'));
      at.append(Object.assign(document.createElement('button'), { textContent: 'bottom' }));`),
    ),
  'large attribute': fc
    .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom('x', '\ud83d', ' ', '"', '\u202e'), fc.constantFrom(...TAGS))
    .map(([name, unit, tag]) =>
      script(`const one = body.appendChild(document.createElement('${tag}')); one.setAttribute('${name}', ${literal(unit)}.repeat(1e6));
        one.append(${literal(unit)}.repeat(1e6));`),
    ),
  'lone surrogates': hostileText.map(text =>
    script(`document.title = '\\ud800'; const one = body.appendChild(document.createElement('button'));
      one.textContent = 'a\\udc00' + ${literal(text)}; one.setAttribute('aria-label', ${literal(text)} + '\\ud800'); one.title = '\\udfff';
      history.replaceState(null, '', '#\\ud800');`),
  ),
  cycles: fc.constantFrom(2, 50, 1_000).map(many =>
    script(`for (let i = 0; i < ${many}; i++) {
        const one = body.appendChild(document.createElement(i % 2 ? 'button' : 'div'));
        one.id = 'n' + i; one.role = i % 3 ? 'group' : 'button';
        for (const name of ${literal(REFERENCES)}) one.setAttribute(name, 'n' + ((i + 1) % ${many}) + ' n' + i + ' n' + ((i + 7) % ${many}));
        one.textContent = 't' + i;
      }`),
  ),
  siblings: fc.tuple(count, fc.constantFrom('button', 'p', 'option', 'a', 'input')).map(([many, tag]) =>
    script(`const list = body.appendChild(document.createElement('${tag === 'option' ? 'select' : 'div'}'));
      for (let i = 0; i < ${many}; i++) list.appendChild(document.createElement('${tag}')).textContent = 'n' + i;`),
  ),
  namespaces: hostileText.map(text =>
    script(`for (const [space, name] of [['urn:x', 'a:button'], ['http://www.w3.org/1998/Math/MathML', 'mi'], [null, 'input'],
        ['http://www.w3.org/2000/svg', 'foreignObject'], ['http://www.w3.org/1999/xhtml', 'h:button'], ['http://www.w3.org/2000/svg', 'a']]) {
        const one = body.appendChild(document.createElementNS(space, name));
        one.setAttributeNS('urn:y', 'y:role', 'button'); one.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', ${literal(text)});
        one.append(${literal(text)}, document.createElement('button'), document.createComment(${literal(text)}), document.createProcessingInstruction('x', 'y'));
      }`),
  ),
  'shadow roots': fc.tuple(fc.constantFrom(10, 300, 1_000), fc.constantFrom('open', 'closed')).map(([levels, mode]) =>
    script(`let at = body; for (let i = 0; i < ${levels}; i++) {
        const host = at.appendChild(document.createElement('div')); host.append('slotted ' + i);
        at = host.attachShadow({ mode: '${mode}' }); at.append(document.createElement('slot'));
      }
      at.append(Object.assign(document.createElement('button'), { textContent: 'bottom' }));`),
  ),
  'throwing getters': fc.constantFrom('T', 'U').map(letter =>
    script(`class ${letter} extends HTMLElement {
        get textContent() { throw 1; } get innerText() { throw 2; } get id() { throw 3; } get children() { throw 4; } get shadowRoot() { throw 5; }
        get value() { throw 6; } get parentNode() { throw 7; } get isConnected() { throw 8; } getBoundingClientRect() { throw 9; }
        getAttribute() { throw 10; } matches() { throw 11; } closest() { throw 12; } scrollIntoView() { throw 13; } focus() { throw 14; } click() { throw 15; }
        get ownerDocument() { throw 16; } getRootNode() { throw 17; } get tagName() { throw 18; } get nodeType() { throw 19; }
      }
      try { customElements.define('x-' + ${literal(letter)}.toLowerCase(), ${letter}); } catch {}
      const one = body.appendChild(document.createElement('x-' + ${literal(letter)}.toLowerCase())); one.setAttribute('role', 'button'); one.tabIndex = 0;
      one.append('press');`),
  ),
  'broken builtins': fc
    .subarray(
      [
        'Array.prototype.map',
        'String.prototype.trim',
        'Element.prototype.matches',
        'JSON.stringify',
        'Object.keys',
        'Promise.prototype.then',
        'Node.prototype.contains',
        'document.querySelector',
        'document.elementsFromPoint',
        'getComputedStyle',
        'Map.prototype.get',
        'Array.from',
        'RegExp.prototype.test',
        'requestAnimationFrame',
        'performance.now',
        'Symbol.iterator',
      ],
      { minLength: 1 },
    )
    .map(names =>
      script(`${names
        .filter(name => name !== 'Symbol.iterator')
        .map(name => `${name} = () => { throw new Error('mine'); };`)
        .join('\n')}
      Object.defineProperty(Object.prototype, 'id', { get() { throw 1; }, set() { throw 2; }, configurable: true });
      body.innerHTML = '<button>press</button><input name=attributes><form><input name=parentNode><input name=id><input name=children></form>';`),
    ),
  'no document': fc
    .constantFrom(
      'document.documentElement.remove()',
      'body.remove()',
      'document.head.remove(); body.remove()',
      "document.open(); document.write('<frameset><frame>')",
      "document.documentElement.remove(); document.append(document.createElementNS('urn:x', 'r'))",
    )
    .map(script),
  frames: fc.constantFrom(3, 20).map(levels =>
    script(`let at = document; for (let i = 0; i < ${levels}; i++) {
        const frame = at.createElement('iframe'); at.body.append(frame, 'in ' + i); at = frame.contentDocument;
        if (!at) break;
      }
      for (let i = 0; i < ${levels}; i++) body.appendChild(document.createElement('iframe')).srcdoc = '<button>b</button>';`),
  ),
  busy: fc.constantFrom(1, 2).map(() =>
    script(`body.innerHTML = '<button id=b>press</button><div id=d></div>';
      setInterval(() => { d.textContent = Math.random(); b.style.marginLeft = Math.random() * 50 + 'px'; b.replaceWith(b.cloneNode(true)); }, 1);
      new MutationObserver(() => d.toggleAttribute('x')).observe(b, { attributes: true });`),
  ),
  tree: fc
    .array(node, { minLength: 1, maxLength: 8 })
    .map(tree => script(`const tree = ${literal(tree)};${RANDOM_TREE}`)),
};

export interface HostilePage {
  kind: string;
  script: string;
}

const names = Object.keys(KINDS);

/** The page of that number: kinds take turns, so that none is left out of a short run. */
export const pageOf = (number: number): fc.Arbitrary<HostilePage> => {
  const kind = names[number % names.length] as string;
  return (KINDS[kind] as fc.Arbitrary<string>).map(script => ({ kind, script }));
};
