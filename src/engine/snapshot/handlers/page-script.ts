// The two questions about handlers that frameworks keep on elements, as text for the page's own script world.
import { declarations } from '../../inpage/declarations.ts';
import { EVENT_KINDS, Handler } from './kinds.ts';

/** How the names begin under which libraries keep their handlers; the place of a name here is its kind. */
const PREFIXES = ['__reactProps$', '__reactEventHandlers$', '$EV', 'jQuery', 'Sortable', '$$'] as const;
const [REACT, REACT_16, INFERNO, JQUERY, SORTABLE, SOLID] = PREFIXES.keys();
const SVELTE = PREFIXES.length;
const TYPES = Object.keys(EVENT_KINDS);
/** Svelte 5.0 has `__click`; later ones have a symbol. */
const NAMES = [...PREFIXES, ...TYPES.map(type => `__${type}`)];

/** More elements are not looked at. */
const MOST_ELEMENTS = 100_000;
const MOST_FOUND = 2_000;
/** An element with more keys is no framework's work: listing many more takes long. */
const MOST_KEYS = 256;

/**
 * The place of an element that has Svelte's symbol or -1, then the names in use, a line each; '' if it would take too long. Listing the keys of an
 * element runs no code of the page. Own objects have no prototype and no list is written to: the page may have put setters on both.
 */
function namesInUse(names: readonly string[], mostElements: number, mostKeys: number): string {
  const known = { __proto__: null } as unknown as Record<string | symbol, boolean>;
  const roots = { __proto__: null } as unknown as Record<number, Document | ShadowRoot>;
  roots[0] = document;
  let count = 0;
  let total = 1;
  let symbol = -1;
  let out = '';
  for (let r = 0; r < total; r++) {
    const root = roots[r] as Document;
    const list = root.querySelectorAll('*');
    for (let i = -1; i < list.length; i++) {
      if (++count > mostElements) return `${symbol}${out}`;
      const el = i < 0 ? root : (list[i] as Element);
      const inner = i < 0 ? null : (el as Element).shadowRoot;
      if (inner) roots[total++] = inner;
      const keys = Reflect.ownKeys(el);
      if (keys.length > mostKeys) return '';
      for (let k = 0; k < keys.length; k++) {
        const key = keys[k] as string | symbol;
        if (known[key]) continue;
        known[key] = true;
        if (typeof key === 'symbol') {
          if (r === 0 && i >= 0 && String(key) === 'Symbol(events)') symbol = i;
          continue;
        }
        for (let q = 0; q < names.length; q++)
          if (key.startsWith(names[q] as string) && out.length < 999) {
            out += `\n${q} ${key}`;
            break;
          }
      }
    }
  }
  return `${symbol}${out}`;
}

/** Handler properties as React and Inferno spell them. */
const PROPERTIES =
  'Click DoubleClick DblClick MouseDown MouseUp PointerDown PointerUp TouchStart TouchEnd ContextMenu MouseEnter MouseOver ' +
  'PointerEnter PointerOver Drop DragOver';
const kindOf = (name: string): number => EVENT_KINDS[name.toLowerCase().replace('doubleclick', 'dblclick')] ?? 0;

/** Reads written out one by one: a read by a computed name takes five times as long. */
const reads = (object: string, prefix: string, names: readonly string[]): string =>
  names.map(name => `if (${object}.${prefix}${name}) b |= ${kindOf(name)};`).join(' ');
const READ_PROPERTIES = reads('v', 'on', PROPERTIES.split(' '));

/**
 * The elements that have handlers under the names in use, and their kinds. Runs under a check of the engine that it changes nothing, which makes each call
 * dear (5 to 200 µs) and refuses assignments from inner functions: hence one long function, whose loop calls next to nothing.
 */
const ELEMENTS_WITH_HANDLERS = `(names, symbolAt) => {
  const found = [], roots = [document], react = [], symbols = [], jquery = [], sorters = [];
  const types = ${JSON.stringify(TYPES)}, kinds = ${JSON.stringify(Object.values(EVENT_KINDS))};
  let bits = '', count = 0, solid = false, inferno = false, svelte = false;
  for (let k = 0; k < names.length; k++) {
    const q = names[k][0], key = names[k][1];
    if (q === ${REACT} || q === ${REACT_16}) react[react.length] = key;
    else if (q === ${JQUERY}) jquery[jquery.length] = key;
    else if (q === ${SORTABLE}) sorters[sorters.length] = key;
    else if (q === ${INFERNO}) inferno = true;
    else if (q === ${SOLID}) solid = true;
    else if (q >= ${SVELTE}) svelte = true;
  }
  for (let r = 0; r < roots.length; r++) {
    const list = roots[r].querySelectorAll('*'), length = list.length;
    if (r === 0 && symbolAt >= 0 && list[symbolAt]) {
      const keys = Reflect.ownKeys(list[symbolAt]);
      for (let k = 0; k < keys.length; k++)
        if (typeof keys[k] === 'symbol' && String(keys[k]) === 'Symbol(events)') symbols[0] = keys[k];
    }
    for (let i = -1; i < length; i++) {
      if (++count > ${MOST_ELEMENTS} || found.length > ${MOST_FOUND}) return [found, bits];
      try {
        const e = i < 0 ? roots[r] : list[i];
        if (i >= 0 && e.shadowRoot) roots[roots.length] = e.shadowRoot;
        let b = 0;
        for (let k = 0; k < react.length; k++) {
          const v = e[react[k]];
          if (v !== null && typeof v === 'object') { ${READ_PROPERTIES} }
        }
        // For a click React puts an empty native listener on the element too.
        b &= ~${Handler.click};
        if (inferno) {
          const v = e.$EV;
          if (v !== null && typeof v === 'object') { ${READ_PROPERTIES} }
        }
        for (let k = 0; k < symbols.length; k++) {
          const v = e[symbols[k]];
          if (v !== null && typeof v === 'object') { ${reads('v', '', TYPES)} }
        }
        if (solid) { ${reads('e', '$$', TYPES)} }
        if (svelte) { ${reads('e', '__', TYPES)} }
        let sorts = false;
        for (let k = 0; k < jquery.length; k++) {
          const v = e[jquery[k]];
          if (v === undefined || v === null) continue;
          if (v.uiSortable) sorts = true;
          if (v.uiDraggable || v.sortableItem) b |= ${Handler.drag};
          if (v.uiDroppable) b |= ${Handler.drop};
          // jQuery 1 and 2 have a number there and keep the data elsewhere.
          const events = typeof v === 'number' ? window.jQuery._data(e, 'events') : v.events;
          if (!events) continue;
          for (let j = 0; j < types.length; j++) {
            const on = events[types[j]];
            if (on) for (let h = 0; h < on.length && h < 50; h++) {
              const selector = on[h].selector;
              if (typeof selector !== 'string') { b |= kinds[j]; continue; }
              b |= ${Handler.forOthers};
              try {
                const hit = e.querySelectorAll(selector[0] === '>' ? ':scope ' + selector : selector);
                for (let m = 0; m < hit.length && m < ${MOST_FOUND}; m++) { found[found.length] = hit[m]; bits += kinds[j] + ','; }
              } catch {} // pseudo-classes of jQuery's own
            }
          }
        }
        if (sorts) b = ${Handler.forOthers};
        for (let k = 0; k < sorters.length; k++) {
          const o = e[sorters[k]]?.options;
          if (!o || o.disabled || typeof o.draggable !== 'string') continue;
          const gripped = typeof o.handle === 'string';
          const hit = e.querySelectorAll(':scope ' + o.draggable);
          for (let m = 0; m < hit.length && m < ${MOST_FOUND}; m++) {
            found[found.length] = hit[m];
            bits += (gripped ? ${Handler.drop} : ${Handler.drag}) + ',';
          }
          const grips = gripped ? e.querySelectorAll(o.handle) : [];
          for (let m = 0; m < grips.length && m < ${MOST_FOUND}; m++) { found[found.length] = grips[m]; bits += '${Handler.drag},'; }
          // An empty list takes what is dropped on it.
          b = hit.length ? ${Handler.forOthers} : ${Handler.drop};
        }
        if (b && i >= 0) { found[found.length] = e; bits += b + ','; }
      } catch {}
    }
  }
  return [found, bits];
}`;

/** Which names are in use in a document. */
export interface NamesInUse {
  /** Place of the prefix, and the name. */
  names: [number, string][];
  symbolAt: number;
}

export const NAMES_QUESTION = `(() => {
${declarations([namesInUse])}
return namesInUse(${JSON.stringify(NAMES)}, ${MOST_ELEMENTS}, ${MOST_KEYS});
})()`;

/** Undefined: no library that is known here. */
export function readNames(answer: string): NamesInUse | undefined {
  const [first = '', ...lines] = answer.split('\n');
  const names = lines.map((line): [number, string] => [Number.parseInt(line, 10), line.replace(/^\d+ /, '')]);
  const symbolAt = Number.parseInt(first, 10);
  return names.length || symbolAt >= 0 ? { names, symbolAt } : undefined;
}

export const handlersQuestion = ({ names, symbolAt }: NamesInUse): string =>
  `(${ELEMENTS_WITH_HANDLERS})(${JSON.stringify(names)}, ${symbolAt})`;
