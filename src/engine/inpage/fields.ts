// Runs inside the page, in our own script world: reading and setting form fields.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

import type { Point, Size } from '../geometry.ts';
import type { Look } from './look.ts';
import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

export interface Field {
  /** How the field is filled. */
  kind: 'text' | 'set' | 'check' | 'select' | 'choice' | 'slider' | 'parts' | 'rich' | 'file' | 'button' | 'none';
  type: string;
  value: string;
  secret: boolean;
  multiple?: boolean;
  /** Read-only or disabled: a person cannot type into it, but a script can set it. */
  locked?: boolean;
  /** A list of suggestions belongs to it. */
  suggests?: boolean;
  /** It is a box for so many characters. */
  size?: number;
  /** It belongs to an editor whose text only its own interface gives. */
  editor?: boolean;
}

/** The kind of a field, and its value. */
export function field(el: Element): Field {
  const found = fieldItself(el);
  return tabwright.isWithin(el, '.monaco-editor') ? { ...found, kind: 'rich', editor: true } : found;
}

export function fieldItself(el: Element): Field {
  const suggests = tabwright.opensList(el);
  if (el instanceof HTMLInputElement) {
    const kind = suggests && el.readOnly && !el.disabled ? 'choice' : kindOfInput(el.type);
    return {
      kind,
      type: el.type,
      value: kind === 'check' ? String(el.checked) : el.value,
      secret: el.type === 'password',
      multiple: el.multiple,
      locked: el.readOnly || el.disabled,
      suggests,
      ...(tabwright.isBox(el) ? { size: tabwright.sizeOf(el) } : {}),
    };
  }
  if (el instanceof HTMLTextAreaElement)
    return { kind: 'text', type: 'textarea', value: el.value, secret: false, locked: el.readOnly || el.disabled };
  if (el instanceof HTMLSelectElement)
    return {
      kind: 'select',
      type: 'select',
      value: [...el.selectedOptions].map(option => option.label).join(', '),
      secret: false,
    };
  const role = tabwright.roleOf(el);
  if (suggests || tabwright.isList(el))
    return { kind: 'choice', type: role, value: tabwright.shows(el), secret: false };
  if (role === 'slider') return { kind: 'slider', type: role, value: tabwright.sliderOf(el).now, secret: false };
  if (tabwright.partsOf(el).length > 1)
    return { kind: 'parts', type: role, value: tabwright.partValues(el), secret: false };
  if (el instanceof HTMLButtonElement || role === 'button' || (el instanceof HTMLAnchorElement && role === ''))
    return { kind: 'button', type: el.localName, value: '', secret: false };
  if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role))
    return {
      kind: 'check',
      type: role,
      value: tabwright.method(el, 'getAttribute', 'aria-checked') ?? 'false',
      secret: false,
    };
  if (el instanceof HTMLElement && tabwright.property(el, 'isContentEditable')) {
    const value = tabwright.property(el, 'innerText').replace(/\n$/, '');
    return { kind: 'rich', type: 'contenteditable', value, secret: false };
  }
  return { kind: 'none', type: tabwright.property(el, 'localName'), value: '', secret: false };
}

export function kindOfInput(type: string): Field['kind'] {
  if (/^(checkbox|radio)$/.test(type)) return 'check';
  if (/^(submit|button|reset|image)$/.test(type)) return 'button';
  if (/^(date|time|month|week|datetime-local|color|range)$/.test(type)) return 'set';
  return type === 'file' ? 'file' : 'text';
}

/**
 * Checks the field before it is filled; when it is ready and takes text, it is focused and its content selected at once.
 * With a fingerprint, only if the field has that.
 */
export async function prepare(
  el: HTMLElement,
  ask: { force: boolean; all: boolean; mark?: string; watch: boolean; frames?: number },
): Promise<{ look: Look; field: Field }> {
  const found = field(el);
  const typed = found.kind === 'text' || found.kind === 'rich';
  const wants = {
    enabled: true,
    editable: !/^(check|select|choice|slider|parts)$/.test(found.kind),
    // What takes the keys of an editor is hidden below what it shows.
    force: ask.force || found.editor === true,
    mark: ask.mark !== undefined,
    ...(ask.frames ? { frames: ask.frames } : {}),
  };
  const look = await tabwright.look(el, wants);
  if (typed && !found.editor && !look.trouble && (ask.mark === undefined || ask.mark === look.mark)) {
    if (ask.watch) tabwright.watchPopups(el);
    focusAndSelect(el, ask.all);
  }
  return { look, field: found };
}

/** What a field holds, its fingerprint, and whether nothing else on the page has changed. */
export async function held(el: Element): Promise<{ value: string; mark: string; quiet: boolean }> {
  const quiet = await tabwright.isQuiet(el);
  return { value: field(el).value, mark: tabwright.elementFingerprint(el), quiet };
}

/** Focuses the field, and selects its content or puts the cursor at its end, for typing. */
export function focusAndSelect(el: HTMLElement, all: boolean): void {
  tabwright.method(el, 'focus');
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
    if (all) el.select();
    else if (!/^(number|email)$/.test(el.type)) el.setSelectionRange(el.value.length, el.value.length);
    return;
  }
  const selection = getSelection();
  selection?.selectAllChildren(el);
  if (!all) selection?.collapseToEnd();
}

/** Whose page the element is on: what frames inherit counts, and a sandbox has none. Of a document that never changes it. */
export function originOf(el: Element): string {
  return tabwright.property(el, 'ownerDocument').defaultView?.origin ?? 'null';
}

/** Types into what has the focus in the document of the element, and in no other frame, whichever takes the focus meanwhile. */
export function insertText(el: Element, { text, each }: { text: string; each: boolean }): boolean {
  const insert = (some: string) =>
    Document.prototype.execCommand.call(tabwright.property(el, 'ownerDocument'), 'insertText', false, some);
  return each ? [...text].map(insert).every(taken => taken) : insert(text);
}

/** Fills the field in one step; gives what it holds then. */
export function insertOver(el: HTMLElement, { text, all }: { text: string; all: boolean }): string {
  focusAndSelect(el, all);
  insertText(el, { text, each: false });
  return field(el).value;
}

/** Sets a field that is not typed into: dates, colours, ranges. The browser drops a value that does not fit. */
export function setValue(el: HTMLInputElement | HTMLTextAreaElement, value: string): string {
  el.focus();
  const before = el.value;
  el.value = value;
  // A value that does not fit empties the field, or makes a colour black: then it is put back as it was.
  const isRefused =
    value !== '' && (el.value === '' || (el.type === 'color' && el.value.toLowerCase() !== value.toLowerCase()));
  if (isRefused) el.value = before;
  else if (el.value !== before) fireInput(el);
  return el.value;
}

export function fireInput(el: Element): void {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  fireChange(el);
}

/** The event that a browser sends when a person leaves a changed field. */
export function fireChange(el: Element): void {
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

export interface Choice {
  by: 'value' | 'label' | 'index' | 'any';
  wanted: string[];
}

/** Selects options. Gives the selected ones, or why not and which options there are. */
export function choose(
  el: HTMLSelectElement,
  choice: Choice,
): { chosen?: string[]; missing?: string; options?: string[]; disabled?: string; single?: boolean } {
  const options = [...el.options];
  const norm = (text: string) => text.replace(/\s+/g, ' ').trim();
  const matches = (option: HTMLOptionElement, index: number, wanted: string): boolean => {
    const value = option.value === wanted;
    const label = norm(option.label) === norm(wanted);
    return { index: index === Number(wanted), value, label, any: value || label }[choice.by];
  };
  if (choice.wanted.length > 1 && !el.multiple) return { single: true };
  const picked: HTMLOptionElement[] = [];
  for (const wanted of choice.wanted) {
    const found =
      options.find((option, at) => matches(option, at, wanted)) ??
      (choice.by === 'index'
        ? undefined
        : options.find(option => norm(option.label).toLowerCase() === norm(wanted).toLowerCase()));
    if (!found)
      return {
        missing: wanted,
        options: options
          .slice(0, 30)
          .map(option =>
            [...new Set([option.label, option.value])].map(text => JSON.stringify(norm(text))).join(' = '),
          ),
      };
    if (found.matches(':disabled')) return { disabled: found.label };
    picked.push(found);
  }
  el.focus();
  const before = options.filter(option => option.selected);
  for (const option of options) option.selected = picked.includes(option);
  if (before.length !== picked.length || before.some(option => !picked.includes(option))) fireInput(el);
  return { chosen: [...el.selectedOptions].map(option => norm(option.label)) };
}

export function focusOn(el: HTMLElement): boolean {
  tabwright.method(el, 'focus');
  const root = tabwright.rootOf(el) as Document | ShadowRoot;
  return root.activeElement === el || tabwright.method(el, 'matches', ':focus-within');
}

/** The editable piece inside a composite editor, when there is exactly one. */
export function editableInside(el: Element): Element | null {
  const root: ParentNode = tabwright.property(el, 'shadowRoot') ?? el;
  const fields = 'input:not([type=hidden]),textarea,select,[contenteditable]:not([contenteditable=false])';
  const found = [...tabwright.method(root, 'querySelectorAll', fields)];
  const tops = found.filter(one => !found.some(other => other !== one && tabwright.method(other, 'contains', one)));
  return tops.length === 1 ? tops[0]! : null;
}

export interface ScrollAsk {
  into?: 'start' | 'center' | 'end' | 'nearest';
  by?: Point;
  to?: { x?: number; y?: number };
  pages?: Point;
  smooth: boolean;
}

/** Scrolls; gives the position of the scroller, and its largest position. */
export async function scrollElement(
  el: Element,
  ask: ScrollAsk,
): Promise<{ x: number; y: number; maxX: number; maxY: number; moved: boolean; what: string }> {
  const behavior = ask.smooth ? 'smooth' : 'instant';
  const box = ask.into ? el : scrollerOf(el, (ask.by?.x ?? ask.pages?.x ?? 0) !== 0);
  const where = () => [scrollOf(box).x, scrollOf(box).y, scrollX, scrollY].join();
  const before = where();
  const ended =
    ask.smooth &&
    new Promise<void>(resolve => {
      const timer = setTimeout(() => end(), 1500);
      const end = () => {
        clearTimeout(timer);
        removeEventListener('scrollend', end, true);
        resolve();
      };
      addEventListener('scrollend', end, true);
    });
  if (ask.into) tabwright.method(el, 'scrollIntoView', { block: ask.into, inline: 'nearest', behavior });
  const by = ask.pages ? { x: ask.pages.x * scrollOf(box).width, y: ask.pages.y * scrollOf(box).height } : ask.by;
  if (by) tabwright.method(box as Scrolls, 'scrollBy', { left: by.x, top: by.y, behavior });
  if (ask.to)
    tabwright.method(box as Scrolls, 'scrollTo', {
      ...(ask.to.x === undefined ? {} : { left: ask.to.x }),
      ...(ask.to.y === undefined ? {} : { top: ask.to.y }),
      behavior,
    });
  await ended;
  // Scroll events are sent with the next frame: lists that fill themselves have done so after it.
  await tabwright.nextFrame();
  const page = pageScroller();
  const at = ask.into ? page : box;
  const { x, y, maxX, maxY } = scrollOf(at);
  return {
    x: Math.round(x),
    y: Math.round(y),
    maxX,
    maxY,
    moved: where() !== before,
    what: at === page ? 'page' : 'element',
  };
}

/** The one signature of these methods that is used here. */
interface Scrolls {
  scrollBy(by: ScrollToOptions): void;
  scrollTo(to: ScrollToOptions): void;
}

/** The position of a scroller, its largest position, and the size of what it shows. */
export function scrollOf(el: Element): { x: number; y: number; maxX: number; maxY: number } & Size {
  const [width, height] = [tabwright.property(el, 'clientWidth'), tabwright.property(el, 'clientHeight')];
  return {
    x: tabwright.property(el, 'scrollLeft'),
    y: tabwright.property(el, 'scrollTop'),
    maxX: tabwright.property(el, 'scrollWidth') - width,
    maxY: tabwright.property(el, 'scrollHeight') - height,
    width,
    height,
  };
}

export function pageScroller(): Element {
  return document.scrollingElement ?? document.documentElement;
}

/** The nearest ancestor that can scroll in that direction, or the page. */
export function scrollerOf(el: Element, sideways: boolean): Element {
  for (let at: Element | null = el; at; at = tabwright.property(at, 'parentElement')) {
    const style = getComputedStyle(at);
    const { maxX, maxY } = scrollOf(at);
    if ((sideways ? maxX : maxY) > 0 && /auto|scroll|overlay/.test(sideways ? style.overflowX : style.overflowY))
      return at;
  }
  return pageScroller();
}

/** A file field that is not in the page. */
export function fileField(near: Element): HTMLInputElement {
  const field = near.ownerDocument.createElement('input');
  field.type = 'file';
  field.multiple = true;
  return field;
}

/** Puts the files of the source into the field, each with its type; '' leaves the one that it has. */
export function takeTypedFiles(field: Element, source: HTMLInputElement, types: readonly string[]): void {
  const transfer = new DataTransfer();
  for (const [index, file] of [...(source.files ?? [])].entries()) {
    const type = types[index] || file.type;
    transfer.items.add(new File([file], file.name, { type, lastModified: file.lastModified }));
  }
  (field as HTMLInputElement).files = transfer.files;
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
