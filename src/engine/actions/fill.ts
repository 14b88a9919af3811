// Fill and clear: sets a field with real events, reads it back, and reports when the page did not take the value.
import { Failure } from '../../errors.ts';
import { capital, type Phrase, phrase, TAKE_SNAPSHOT, theTool, toolName } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import type { Field } from '../inpage/fields.ts';
import { press } from '../input/press-keys.ts';
import type { Limits } from '../limits.ts';
import { joinedParts, partsOf } from '../secrets.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, actOn, checkMark, fieldOf, newLabel, resolveNamed, untilReady } from './actionability.ts';
import { clickOn } from './click.ts';
import { act, flush } from './effects.ts';
import { chooseIn } from './select.ts';
import { chooseFrom, takeOffered } from './widgets/choose.ts';
import { isDate, pickDate } from './widgets/pick-date.ts';
import { fillParts, setEditor, setSlider } from './widgets/set.ts';

export interface FillInput extends ElementTarget {
  value: string;
  clear?: boolean;
  force?: boolean;
  /** The value is true or false, for a checkbox or the like only. */
  toggles?: boolean;
  /** Also tell the page of the change, as when the field is left. */
  change?: boolean;
}

export interface FillResult extends ActionResult {
  /** What the field holds now, when that is not what was asked for. */
  holds?: string;
  /** What a checkbox or a list was set to. */
  set?: string;
  /** What a list of suggestions offers instead of just what was filled in. */
  offered?: string[];
}

export async function fill(tab: Tab, input: FillInput, limits: Limits): Promise<FillResult> {
  const filling = new Filling(await resolveNamed(tab, input, limits), input);
  const { element } = filling;
  const done = await act(tab, limits, () => filling.run(), { flushed: true, at: element.location, element: filling });
  return { element: element.shownLabel, ...done.value, ...done.effects, ...(await newLabel(element, done)) };
}

/** What a list offers that has no option of just that name, and stays open; nothing: a calendar does. */
export const offerText = (offered: string[]): string =>
  offered.length === 0
    ? '; its calendar is still open: fill the other end of the range, or press Escape'
    : `; its list is open and offers: ${offered.slice(0, 10).join(', ').slice(0, 300)}`;

export const clear = (tab: Tab, input: ElementTarget, limits: Limits): Promise<FillResult> =>
  fill(tab, { ...input, value: '' }, limits);

type Outcome = Pick<FillResult, 'holds' | 'set' | 'offered'>;

/** Fields for dates often open a calendar when one is typed. */
const DATE_LIKE = /^\d{1,4}[-./ ]\d{1,2}[-./ ]\d{1,4}/;

/** One fill under way. */
class Filling {
  #isCalendarOpen = false;
  /** The page has said that nothing else has changed. */
  isQuiet = false;

  constructor(
    /** The element that was named, or the field found inside it. */
    public element: Element,
    readonly input: FillInput,
  ) {}

  async run(): Promise<Outcome> {
    const before = await this.#prepared();
    const { element, input } = this;
    if (input.toggles && before.kind !== 'check') throw notToggled(element);
    const parts = await partsOf(input.value, () => element.call('originOf'), element.limits);
    const value = joinedParts(parts);
    const secret = parts.some(({ kind }) => kind !== 'plain');
    if (secret) keepSecret(element, before);
    if (before.kind === 'check') {
      const outcome = await setChecked(element, value);
      this.isQuiet = element.isQuiet;
      return outcome;
    }
    if (this.#isPicked(before)) return verdict(element, before, value, await pickDate(element, value));
    if (before.kind === 'select') return { set: (await chooseIn(element, { by: 'any', wanted: [value] })).join(', ') };
    if (before.kind === 'choice')
      return { set: (await chooseFrom(element, { by: 'any', wanted: [value] })).join(', ') };
    if (before.kind === 'slider') return verdict(element, before, value, await setSlider(element, value));
    const field = { ...before, secret: before.secret || secret };
    const boxes = await this.#boxes(before, value);
    if (boxes) {
      const { wanted, holds } = await fillParts(boxes, value);
      return verdict(element, field, wanted, holds);
    }
    const wanted = input.clear === false ? before.value + value : value;
    if (before.editor) return this.#edit(before, value, wanted);
    const isSet = before.kind === 'set' || (before.locked && input.force);
    const suggests = before.suggests && !secret && wanted !== '';
    if (suggests) await element.call('watchPopups');
    const put = isSet ? this.#set(wanted) : secret ? this.#insert(value) : this.#type(before, value);
    const holds = await put;
    if (input.change && !isSet) await element.call('fireChange');
    if (input.change || suggests) {
      element.markAfter = undefined; // more may happen to it
      this.isQuiet = false;
    }
    const outcome = verdict(element, field, wanted, holds);
    if (this.#isCalendarOpen) return { ...outcome, offered: [] };
    return suggests ? { ...outcome, ...(await this.#suggested(wanted)) } : outcome;
  }

  /** What holds the boxes that the value goes into: the element itself, or what is around the first box. */
  async #boxes({ kind, size }: Field, value: string): Promise<Element | undefined> {
    if (kind === 'parts') return this.element;
    if (size === undefined || value.length <= size) return undefined;
    return this.element.find('boxesAround', this.element.label);
  }

  async #edit(before: Field, value: string, wanted: string): Promise<Outcome> {
    const { element, input } = this;
    const holds = await setEditor(element, value, input.clear !== false);
    if (holds !== undefined) return verdict(element, before, wanted, input.clear === false ? wanted : holds);
    throw new Failure(
      'not_actionable',
      phrase`${element.label} is an editor whose page does not give its text. Nothing was done.`,
      phrase`By hand: ${toolName('click')} it, ${toolName('press')} Control+a, then ${toolName('type')} the text.`,
    );
  }

  /** Takes the suggestion that is just what was filled in. */
  async #suggested(wanted: string): Promise<Outcome> {
    const { taken, offered } = await takeOffered(this.element, wanted);
    await this.element.call('unwatchPopups');
    return { ...(taken !== undefined && { set: taken }), ...(offered && offered.length > 0 && { offered }) };
  }

  /** The field, ready to be filled: focused, its text selected. When all is well that is one look. */
  async #prepared(): Promise<Field> {
    const { value } = this.input;
    const ask = { force: this.input.force === true, all: this.input.clear !== false, watch: DATE_LIKE.test(value) };
    const mark = this.element.ref?.mark || undefined;
    let first = await (mark ? this.element.look('prepare', { ...ask, mark }) : this.element.call('prepare', ask));
    if (first.look.trouble === 'gone') throw this.element.stale();
    await checkMark(this.element, first.look.mark);
    // Its content is another one than the caller was shown, which does not matter.
    if (mark && first.look.mark !== mark) first = await this.element.call('prepare', ask);
    if (first.field.kind === 'none' && (await this.#goInside())) return this.#prepared();
    const wrong = WRONG_TOOL[first.field.kind];
    if (wrong) throw new Failure('bad_input', phrase`${this.element.label} is ${wrong.is}.`, wrong.hint);
    let { field } = first;
    if (first.look.trouble === 'readonly' && this.#isPicked(field)) return field;
    await untilReady(this.element, first.look, async () => {
      const next = await this.element.call('prepare', { ...ask, frames: 2 });
      field = next.field;
      return next.look;
    });
    return field;
  }

  /** A date for a field that takes none but by its calendar. */
  #isPicked({ kind, locked = false }: Field): boolean {
    return kind === 'text' && locked && this.input.force !== true && isDate(this.input.value);
  }

  /** To the one field inside the element: of an editor's wrapper, a label, a custom element. */
  async #goInside(): Promise<boolean> {
    const inside = await this.element.find('editableInside', phrase`the field in ${this.element.label}`);
    if (inside) this.element = inside;
    return inside !== undefined;
  }

  /** What the page makes of its events shows after the call that raised them. */
  async #set(wanted: string): Promise<string> {
    const { element } = this;
    const holds = await element.call('setValue', wanted);
    await flush(element.tab, element.limits);
    return holds;
  }

  /** A secret goes into this very document: typing goes to whatever has the focus, and any frame can take that. */
  async #insert(text: string): Promise<string> {
    const { element, input } = this;
    await element.call('insertOver', { text, all: input.clear !== false });
    await flush(element.tab, element.limits);
    return this.#held();
  }

  /** What the field holds after it was typed into; the answer also tells whether it is called something else now. */
  async #held(): Promise<string> {
    const { value, mark, quiet } = await this.element.call('held');
    this.element.markAfter = mark;
    this.isQuiet = quiet;
    return value;
  }

  /** Real typing: the new text is put in as one input event. */
  async #type(before: Field, value: string): Promise<string> {
    const { element, input } = this;
    const { tab, limits } = element;
    // The end of these cannot be selected by script.
    if (input.clear === false && /^(number|email)$/.test(before.type)) await press(tab, limits, 'End');
    if (value !== '') await tab.send(limits, tab.main, 'Input.insertText', { text: value });
    else if (input.clear !== false && before.value !== '') await press(tab, limits, 'Delete');
    if (DATE_LIKE.test(value) && !before.suggests && (await element.call('opensCalendar'))) await this.#takeDate();
    return this.#held();
  }

  /** Enter takes the date that was typed, and closes the calendar; that of a range goes on to its other end. */
  async #takeDate(): Promise<void> {
    const { tab, limits } = this.element;
    await this.element.call('holdForm');
    await press(tab, limits, 'Enter');
    this.#isCalendarOpen = !(await this.element.call('closedCalendar'));
    await this.element.call('unwatchPopups');
  }
}

/** Lists, sliders and editors take their value by keys and scripts that other parts of the page could follow. */
function keepSecret(element: Element, { kind, editor }: Field): void {
  if (!editor && !/^(choice|slider)$/.test(kind)) return;
  throw new Failure(
    'bad_input',
    phrase`${element.label} takes no secret.`,
    'Secrets go into fields for text, and into boxes of a code.',
  );
}

const WRONG_TOOL: Partial<Record<Field['kind'], { is: string; hint: Phrase }>> = {
  file: { is: 'a file field', hint: phrase`Use ${theTool('upload')}.` },
  button: { is: 'a button', hint: phrase`Use ${theTool('click')}.` },
};

const YES = /^(true|on|yes|1|checked)$/i;
const NO = /^(false|off|no|0|unchecked|)$/i;

async function setChecked(element: Element, value: string): Promise<Outcome> {
  if (!YES.test(value) && !NO.test(value))
    throw new Failure(
      'bad_input',
      phrase`${element.label} is a checkbox: it takes "true" or "false".`,
      phrase`Use ${theTool('check', 'uncheck')}.`,
    );
  const isOn = await toggle(element, YES.test(value));
  return { set: isOn ? 'checked' : 'unchecked' };
}

export interface CheckInput extends ElementTarget {
  force?: boolean;
}

export const setCheck = (tab: Tab, input: CheckInput, wanted: boolean, limits: Limits): Promise<ActionResult> =>
  actOn(tab, input, limits, element => toggle(element, wanted, input.force));

/** Clicks a checkbox, radio button or switch until it stands as wanted; fails when the page keeps it. */
async function toggle(element: Element, wanted: boolean, force = false): Promise<boolean> {
  const before = await fieldOf(element);
  if (before.kind !== 'check') throw notToggled(element);
  if ((before.value === 'true') === wanted) return wanted;
  if (!wanted && before.type === 'radio')
    throw new Failure(
      'bad_input',
      phrase`${element.label} is a radio button: it cannot be unchecked.`,
      'Check another one of its group.',
    );
  await clickOn(element, undefined, force);
  const after = await element.call('field');
  if ((after.value === 'true') === wanted) return wanted;
  throw new Failure(
    'not_taken',
    phrase`${element.label} was clicked but stayed ${wanted ? 'unchecked' : 'checked'}.`,
    phrase`${capital(TAKE_SNAPSHOT)} to see why.`,
  );
}

const notToggled = (element: Element): Failure =>
  new Failure(
    'bad_input',
    phrase`${element.label} is not a checkbox, radio button or switch.`,
    phrase`Use ${theTool('click')}.`,
  );

const same = (a: string, b: string): boolean =>
  a.replace(/\r\n?/g, '\n').trimEnd() === b.replace(/\r\n?/g, '\n').trimEnd();

/** Nothing is reported that did not happen: an unchanged or emptied field is a failure, a changed value is reported. */
function verdict(element: Element, before: Field, wanted: string, holds: string): Outcome {
  if (same(holds, wanted)) return {};
  const shown = (text: string) => (before.secret ? `${text.length} characters` : JSON.stringify(text.slice(0, 100)));
  if (holds === '' || same(holds, before.value)) {
    const why =
      before.kind === 'set' ? ` A ${before.type} field takes ${FORMATS[before.type] ?? 'its own format'}.` : '';
    throw new Failure(
      'not_taken',
      phrase`${element.label} did not take the value: it ${holds === '' ? 'is empty' : `still holds ${shown(holds)}`}.${why}`,
      before.kind === 'set'
        ? 'Give the value in that format.'
        : phrase`Try ${theTool('type')}, which sends a key at a time.`,
    );
  }
  return { holds: shown(holds) };
}

const FORMATS: Record<string, string> = {
  date: 'YYYY-MM-DD',
  time: 'HH:MM',
  month: 'YYYY-MM',
  week: 'YYYY-Www',
  'datetime-local': 'YYYY-MM-DDTHH:MM',
  color: '#rrggbb',
  range: 'a number between its bounds',
};
