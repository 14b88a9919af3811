// What a live picture does not show, for a person to answer: lists of options, date and color fields, dialogs, file choosers.
import { randomBytes } from 'node:crypto';
import { Failure } from '../../errors.ts';
import type { Point, Rect } from '../geometry.ts';
import { tryFor, unlimited } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

export type LiveControl = { id: string } & (
  | {
      kind: 'select';
      box: Rect;
      label: string;
      multiple: boolean;
      options: { label: string; group?: string; selected: boolean; disabled: boolean }[];
    }
  | {
      kind: 'date';
      box: Rect;
      label: string;
      input: string;
      value: string;
      min: string;
      max: string;
      step: string;
    }
  | { kind: 'dialog'; dialog: string; message: string; text: string }
  | { kind: 'file'; label: string; multiple: boolean; accept: string }
);

export type LiveAnswer =
  | { kind: 'select'; options: number[] }
  | { kind: 'date'; value: string }
  | { kind: 'dialog'; accept: boolean; text?: string }
  | { kind: 'file'; paths: string[] };

/** An element that a control stands for. */
interface Node {
  cdp: CdpSession;
  frame: string;
  id: number;
}

/** How long a page may take to say what is at a point. */
const PROBE_MS = 1_000;

/** In our own script world. Undefined for an element that Chrome opens no list or picker for. */
const DESCRIBE = `function () {
  const cut = text => String(text ?? '').replace(/\\s+/g, ' ').trim().slice(0, 200);
  const field = this.nodeType === 1 ? this.closest('select, input, option, optgroup')?.closest('select, input') : null;
  if (!field || field.disabled) return undefined;
  const { x, y, width, height } = field.getBoundingClientRect();
  const label = cut(field.labels?.[0]?.textContent || field.getAttribute('aria-label') || field.name);
  const facts = { box: { x, y, width, height }, label };
  if (field.localName === 'select') {
    if (field.size > 1 || field.multiple) return undefined;
    const options = [...field.options].slice(0, 1000).map(option => ({
      label: cut(option.label || option.text),
      ...(option.parentNode.localName === 'optgroup' && { group: cut(option.parentNode.label) }),
      selected: option.selected,
      disabled: option.disabled || option.parentNode.disabled === true,
    }));
    return { kind: 'select', ...facts, multiple: field.multiple, options };
  }
  if (field.type === 'file') return { kind: 'file', label, multiple: field.multiple, accept: cut(field.accept) };
  if (!/^(date|time|datetime-local|month|week|color)$/.test(field.type) || field.readOnly) return undefined;
  const { type: input, value, min, max, step } = field;
  return { kind: 'date', ...facts, input, value, min: cut(min), max: cut(max), step: cut(step) };
}`;

const SET = `function (value) {
  const field = this.closest('select, input, option, optgroup').closest('select, input');
  field.focus();
  if (Array.isArray(value)) [...field.options].forEach((option, at) => { option.selected = value.includes(at); });
  else field.value = value;
  for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
}`;

export class Controls {
  /** What opened by itself, or by a click of the person. */
  readonly #open = new Map<string, { control: LiveControl; node?: Node }>();
  readonly #tab: Tab;
  readonly #changed: () => void;
  #unsubscribe: (() => void)[] = [];
  #intercepting: CdpSession[] = [];

  constructor(tab: Tab, changed: () => void) {
    this.#tab = tab;
    this.#changed = changed;
    tab.events.on('dialog', changed);
    tab.events.on('committed', this.#left);
    tab.page?.on('dialogclosed', changed);
  }

  end(): void {
    this.#tab.events.off('dialog', this.#changed);
    this.#tab.events.off('committed', this.#left);
    this.#tab.page?.off('dialogclosed', this.#changed);
    this.watchChoosers(false);
  }

  get list(): LiveControl[] {
    const dialog = this.#tab.dialog;
    const open = [...this.#open.values()].map(({ control }) => control);
    if (!dialog) return open;
    const { type, message, defaultValue: text } = dialog;
    return [...open, { id: DIALOG, kind: 'dialog', dialog: type, message: message.slice(0, 2_000), text }];
  }

  /** While a person has stepped in, file choosers are theirs. */
  watchChoosers(isOn: boolean): void {
    for (const off of this.#unsubscribe.splice(0)) off();
    const sessions = isOn ? this.#tab.frames.sessions().map(({ cdp }) => cdp) : this.#intercepting;
    for (const cdp of sessions)
      cdp.send('Page.setInterceptFileChooserDialog', { enabled: isOn }).catch(() => undefined); // the frame has gone
    this.#intercepting = isOn ? sessions : [];
    if (!isOn) return;
    this.#unsubscribe = sessions.map(cdp =>
      cdp.on('Page.fileChooserOpened', ({ frameId: frame, backendNodeId: id }) => {
        if (id !== undefined) void this.#show({ cdp, frame, id });
      }),
    );
  }

  /** Whether a press there opens something that pictures do not show; then it is shown as a control, and not pressed. */
  async takesPress(at: Point): Promise<boolean> {
    this.#close(({ control }) => control.kind === 'select' || control.kind === 'date');
    const node = await tryFor(unlimited(), PROBE_MS, () => this.#nodeAt(at));
    return node !== undefined && this.#show(node, ['select', 'date']);
  }

  async answer(id: string, value: LiveAnswer): Promise<void> {
    if (value.kind === 'dialog') {
      if (id !== DIALOG) throw gone();
      await this.#tab.dialogs.answer(unlimited(), value.accept ? 'accept' : 'dismiss', value.text);
      return this.#changed();
    }
    const open = this.#open.get(id);
    if (!open?.node || open.control.kind !== value.kind) throw gone();
    this.#open.delete(id);
    this.#changed();
    const { cdp, id: backendNodeId } = open.node;
    if (value.kind === 'file') {
      if (value.paths.length > 0) await cdp.send('DOM.setFileInputFiles', { files: value.paths, backendNodeId });
    } else await this.#call(open.node, SET, value.kind === 'select' ? value.options : value.value);
  }

  async #nodeAt({ x, y }: Point): Promise<Node | undefined> {
    const { main } = this.#tab;
    const { cssVisualViewport } = await main.send('Page.getLayoutMetrics');
    const found = await main.send('DOM.getNodeForLocation', {
      x: Math.round(x + cssVisualViewport.pageX),
      y: Math.round(y + cssVisualViewport.pageY),
    });
    return main.loaders.has(found.frameId) ? { cdp: main, frame: found.frameId, id: found.backendNodeId } : undefined;
  }

  /** False when it is no such control. */
  async #show(node: Node, kinds?: readonly string[]): Promise<boolean> {
    const facts = (await this.#call(node, DESCRIBE).catch(() => undefined)) as Omit<LiveControl, 'id'> | undefined; // it has gone
    if (!facts || (kinds && !kinds.includes(facts.kind))) return false;
    const id = randomBytes(6).toString('hex');
    this.#close(({ control }) => control.kind === facts.kind);
    this.#open.set(id, { control: { ...facts, id } as LiveControl, node });
    this.#changed();
    return true;
  }

  async #call({ cdp, frame, id }: Node, functionDeclaration: string, value?: unknown): Promise<unknown> {
    const objectId = await cdp.objectOf(id, await cdp.own(frame));
    if (objectId === undefined) return undefined;
    const { result } = await cdp.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration,
      arguments: [{ value }],
      returnByValue: true,
    });
    return result.value;
  }

  #close(isMeant: (one: { control: LiveControl }) => boolean): void {
    const meant = [...this.#open].filter(([, one]) => isMeant(one));
    for (const [id] of meant) this.#open.delete(id);
    if (meant.length > 0) this.#changed();
  }

  /** What stood for elements of another document is gone. */
  readonly #left = (): void => this.#close(() => true);
}

const DIALOG = 'dialog';

const gone = (): Failure =>
  new Failure('not_found', 'That control is not open any more.', 'Press it again in the picture.');
