// Runs inside the page, in our own script world: reading and setting form fields.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

import type { Look, Wants } from './look.ts';

export interface Field {
  /** How it is to be filled. */
  kind: 'text' | 'set' | 'check' | 'select' | 'rich' | 'file' | 'button' | 'none';
  type: string;
  value: string;
  secret: boolean;
  multiple?: boolean;
  /** Read-only or disabled: nobody can type into it, but a script can set it. */
  locked?: boolean;
}

/** What kind of field it is, and what it holds. */
export function field(el: Element): Field {
  if (el instanceof HTMLInputElement) {
    const kind = kindOfInput(el.type);
    return {
      kind,
      type: el.type,
      value: kind === 'check' ? String(el.checked) : el.value,
      secret: el.type === 'password',
      multiple: el.multiple,
      locked: el.readOnly || el.disabled,
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
  const role = el.getAttribute('role') ?? '';
  if (el instanceof HTMLButtonElement || role === 'button' || (el instanceof HTMLAnchorElement && role === ''))
    return { kind: 'button', type: el.localName, value: '', secret: false };
  if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role))
    return { kind: 'check', type: role, value: el.getAttribute('aria-checked') ?? 'false', secret: false };
  if (el instanceof HTMLElement && el.isContentEditable)
    return { kind: 'rich', type: 'contenteditable', value: el.innerText.replace(/\n$/, ''), secret: false };
  return { kind: 'none', type: el.localName, value: '', secret: false };
}

export function kindOfInput(type: string): Field['kind'] {
  if (/^(checkbox|radio)$/.test(type)) return 'check';
  if (/^(submit|button|reset|image)$/.test(type)) return 'button';
  if (/^(date|time|month|week|datetime-local|color|range)$/.test(type)) return 'set';
  return type === 'file' ? 'file' : 'text';
}

/** One look at the field before it is filled; when all is well and it takes text, it is focused and selected at once. */
export async function prepare(
  el: HTMLElement,
  ask: { force: boolean; all: boolean; mark: boolean; frames?: number },
): Promise<{ look: Look; field: Field }> {
  const ours = (globalThis as unknown as { tabwright: { look(el: Element, wants: Wants): Promise<Look> } }).tabwright;
  const seen = field(el);
  const typed = seen.kind === 'text' || seen.kind === 'rich';
  const wants = {
    enabled: true,
    editable: seen.kind !== 'check' && seen.kind !== 'select',
    force: ask.force,
    mark: ask.mark,
    ...(ask.frames ? { frames: ask.frames } : {}),
  };
  const look = await ours.look(el, wants);
  if (typed && !look.trouble) ready(el, ask.all);
  return { look, field: seen };
}

/** Focuses the field and selects what it holds (all of it, or only the end), ready for real typing. */
export function ready(el: HTMLElement, all: boolean): void {
  el.focus();
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
    if (all) el.select();
    else if (!/^(number|email)$/.test(el.type)) el.setSelectionRange(el.value.length, el.value.length);
    return;
  }
  const selection = getSelection();
  selection?.selectAllChildren(el);
  if (!all) selection?.collapseToEnd();
}

/** Sets a field that has no text to type: dates, colours, ranges. The browser drops what does not fit. */
export function setValue(el: HTMLInputElement | HTMLTextAreaElement, value: string): string {
  el.focus();
  const before = el.value;
  el.value = value;
  // A value that does not fit empties the field, or makes a colour black: then it is put back as it was.
  const isRefused =
    value !== '' && (el.value === '' || (el.type === 'color' && el.value.toLowerCase() !== value.toLowerCase()));
  if (isRefused) el.value = before;
  else if (el.value !== before) tell(el);
  return el.value;
}

export function tell(el: Element): void {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

/** As when a person leaves the field. */
export function tellChange(el: Element): void {
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

export interface Choice {
  by: 'value' | 'label' | 'index' | 'any';
  wanted: string[];
}

/** Chooses options. Answers what is chosen now, or what there is to choose from. */
export function choose(
  el: HTMLSelectElement,
  choice: Choice,
): { chosen?: string[]; missing?: string; options?: string[]; disabled?: string; single?: boolean } {
  const options = [...el.options];
  const norm = (text: string) => text.replace(/\s+/g, ' ').trim();
  const matches = (option: HTMLOptionElement, at: number, wanted: string): boolean =>
    choice.by === 'index'
      ? at === Number(wanted)
      : choice.by === 'value'
        ? option.value === wanted
        : choice.by === 'label'
          ? norm(option.label) === norm(wanted)
          : option.value === wanted || norm(option.label) === norm(wanted);
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
          .map(option => (option.value === option.label ? option.label : `${norm(option.label)} (${option.value})`)),
      };
    if (found.matches(':disabled')) return { disabled: found.label };
    picked.push(found);
  }
  el.focus();
  const before = options.filter(option => option.selected);
  for (const option of options) option.selected = picked.includes(option);
  if (before.length !== picked.length || before.some(option => !picked.includes(option))) tell(el);
  return { chosen: [...el.selectedOptions].map(option => norm(option.label)) };
}

export function focusOn(el: HTMLElement): boolean {
  el.focus();
  const root = el.getRootNode() as Document | ShadowRoot;
  return root.activeElement === el || el.matches(':focus-within');
}

/** The editable piece inside a composite editor, when there is exactly one. */
export function editableInside(el: Element): Element | null {
  const root = el.shadowRoot ?? el;
  const found = [
    ...root.querySelectorAll('input:not([type=hidden]),textarea,select,[contenteditable]:not([contenteditable=false])'),
  ];
  const tops = found.filter(one => !found.some(other => other !== one && other.contains(one)));
  return tops.length === 1 ? tops[0]! : null;
}

export interface ScrollAsk {
  into?: 'start' | 'center' | 'end' | 'nearest';
  by?: { x: number; y: number };
  to?: { x?: number; y?: number };
  pages?: { x: number; y: number };
  smooth: boolean;
}

/** Scrolls and answers where the scroller stands, and how far it can go. */
export async function scrollIt(
  el: Element,
  ask: ScrollAsk,
): Promise<{ x: number; y: number; maxX: number; maxY: number; moved: boolean; what: string }> {
  const behavior = ask.smooth ? 'smooth' : 'instant';
  const box = ask.into ? el : scrollerOf(el, (ask.by?.x ?? ask.pages?.x ?? 0) !== 0);
  const before = [box.scrollLeft, box.scrollTop, scrollX, scrollY].join();
  const ended = ask.smooth
    ? new Promise<void>(resolve => {
        const timer = setTimeout(resolve, 1500);
        document.addEventListener(
          'scrollend',
          () => {
            clearTimeout(timer);
            resolve();
          },
          { once: true, capture: true },
        );
      })
    : undefined;
  if (ask.into) el.scrollIntoView({ block: ask.into, inline: 'nearest', behavior });
  if (ask.by) box.scrollBy({ left: ask.by.x, top: ask.by.y, behavior });
  if (ask.pages) box.scrollBy({ left: ask.pages.x * box.clientWidth, top: ask.pages.y * box.clientHeight, behavior });
  if (ask.to)
    box.scrollTo({
      ...(ask.to.x === undefined ? {} : { left: ask.to.x }),
      ...(ask.to.y === undefined ? {} : { top: ask.to.y }),
      behavior,
    });
  await ended;
  // Scroll events are sent with the next frame: lists that fill themselves have done so after it.
  await (globalThis as unknown as { tabwright: { nextFrame(): Promise<void> } }).tabwright.nextFrame();
  const page = document.scrollingElement ?? document.documentElement;
  const at = ask.into ? page : box;
  return {
    x: Math.round(at.scrollLeft),
    y: Math.round(at.scrollTop),
    maxX: at.scrollWidth - at.clientWidth,
    maxY: at.scrollHeight - at.clientHeight,
    moved: [box.scrollLeft, box.scrollTop, scrollX, scrollY].join() !== before,
    what: at === page ? 'page' : 'element',
  };
}

/** The nearest box around the element that can scroll that way; at last the page. */
export function scrollerOf(el: Element, sideways: boolean): Element {
  for (let at: Element | null = el; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    const room = sideways ? at.scrollWidth > at.clientWidth : at.scrollHeight > at.clientHeight;
    if (room && /auto|scroll|overlay/.test(sideways ? style.overflowX : style.overflowY)) return at;
  }
  return document.scrollingElement ?? document.documentElement;
}
