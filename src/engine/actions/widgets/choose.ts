// Chooses in a list that a widget opens: open it, find the option (search, scroll, unfold), click it, see what the widget shows, close it.
import { Failure } from '../../../errors.ts';
import { type Phrase, phrase, TAKE_SNAPSHOT, toolName } from '../../../text.ts';
import { Element } from '../../elements/element.ts';
import type { Choice } from '../../inpage/fields.ts';
import type { Offer } from '../../inpage/widgets.ts';
import { press } from '../../input/press-keys.ts';
import { bounded, remaining } from '../../limits.ts';
import { clickOn, hoverOn } from '../click.ts';

const OPEN_MS = 700;
const SEARCH_MS = 2_000;
const TAKE_MS = 1_000;
const CLOSE_MS = 500;
const CLICK_MS = 1_200;
/** A branch of a cascade opens under the mouse within this time, or at a click. */
const HOVER_MS = 60;
/** Left over of the call's time, so that the cause is reported before the call itself times out. */
const RESERVE_MS = 300;
const MOST_PAGES = 60;
/** Between the parts of a path: `Italy / Rome`. */
const PATH = / [/>›] /;

export const BY_HAND: Phrase = phrase`By hand: ${toolName('click')} it to open its options, ${TAKE_SNAPSHOT}, then ${toolName('click')} the option.`;

/** Chooses what is wanted, beside what is chosen already where the list takes several; gives the labels. */
export async function chooseFrom(element: Element, { by, wanted }: Choice): Promise<string[]> {
  const choosing = new Choosing(element, by);
  await element.call('watchPopups');
  try {
    for (const text of wanted) await choosing.choose(text);
  } finally {
    await choosing.close();
    await element.call('unwatchPopups');
  }
  return choosing.taken;
}

/** Clicks the option that is offered for what was typed into the field; undefined when none is called so, with what is offered instead. */
export async function takeOffered(element: Element, text: string): Promise<{ taken?: string; offered?: string[] }> {
  const choosing = new Choosing(element, 'label');
  const offer = await choosing.until(OPEN_MS, ({ isOpen }) => isOpen);
  if (!offer.isOpen) return {};
  if (!(await choosing.take(text, TAKE_MS))) return { offered: offer.labels };
  await choosing.close();
  return { taken: text };
}

/** One choice under way. */
class Choosing {
  readonly taken: string[] = [];

  constructor(
    readonly element: Element,
    readonly by: Choice['by'],
  ) {}

  async choose(text: string): Promise<void> {
    const { element } = this;
    const before = await element.call('shows');
    const offer = await this.#open();
    const isThere =
      (await this.take(text, offer.labels.length === 0 ? OPEN_MS : 0)) ||
      (await this.#walk(text)) ||
      (await this.#search(text, offer));
    if (!isThere) throw this.#missing(text, await element.call('offers', 0));
    await this.#verify(text, before);
    this.taken.push(text);
  }

  /** Clicks the option, if it comes within ms. One that is chosen already stays so. */
  async take(text: string, ms: number): Promise<boolean> {
    const option = await this.#find(text, ms);
    if (!option) return false;
    const before = await this.element.call('shows');
    const { isDisabled, isChosen } = await option.call('optionState');
    if (isDisabled)
      throw new Failure(
        'not_actionable',
        phrase`${option.description} of ${this.element.label} is disabled.`,
        'Choose another one.',
      );
    if (isChosen && includes(before, text)) return true;
    try {
      await this.#click(option, before);
    } catch (error) {
      // Scrolling to it while its list still opens can begin the animation anew: now the list is at rest.
      const again = error instanceof Failure && error.code === 'not_actionable' ? await this.#find(text, 0) : undefined;
      if (!again) throw error;
      await this.#click(again, before);
    }
    return true;
  }

  /** A list that closes under the press may look as if it had moved away: then what the widget shows decides. */
  async #click(option: Element, before: string): Promise<void> {
    const late = () => new Failure('not_actionable', phrase`${option.description} could not be clicked.`, BY_HAND);
    await option.call('atRest');
    try {
      await bounded(option.limits, CLICK_MS, late, bound =>
        clickOn(new Element(option.tab, bound, option.location, { description: option.description })),
      );
    } catch (error) {
      const isTaken = async () =>
        !(await this.element.call('offers', 1)).isOpen && (await this.element.call('shows')) !== before;
      if (!(error instanceof Failure) || !(await isTaken())) throw error;
    }
  }

  /** Looks, a frame at a time, until what is offered is as wanted or the time is over. */
  async until(ms: number, isMet: (offer: Offer) => boolean): Promise<Offer> {
    const end = this.#end(ms);
    for (;;) {
      const offer = await this.element.call('offers', 1);
      if (isMet(offer) || performance.now() > end) return offer;
    }
  }

  /** Closes what is still open. Escape is pressed only when a list is: else it might close a dialog around it. */
  async close(): Promise<void> {
    const { element } = this;
    const isClosed = async (ms: number) => !(await this.until(ms, ({ isOpen }) => !isOpen)).isOpen;
    if ((await element.call('isList')) || (await isClosed(this.taken.length > 0 ? CLOSE_MS : 0))) return;
    await this.#press('Escape');
    if (!(await isClosed(CLOSE_MS))) await element.call('leave');
  }

  #end(ms: number): number {
    return performance.now() + Math.min(ms, remaining(this.element.limits) - RESERVE_MS);
  }

  async #find(text: string, ms: number): Promise<Element | undefined> {
    const end = this.#end(ms);
    const description = phrase`the option ${JSON.stringify(text.slice(0, 60))}`;
    for (;;) {
      const option = await this.element.find('optionOf', description, { by: this.by, wanted: text });
      if (option || performance.now() > end) return option;
      await this.element.call('offers', 1);
    }
  }

  async #press(key: string): Promise<void> {
    const { tab, limits } = this.element;
    await press(tab, limits, key);
  }

  /** By a click; where the widget's own parts cover it, or a click does nothing, by the keyboard. */
  async #open(): Promise<Offer> {
    const { element } = this;
    const first = await element.call('offers', 0);
    if (first.isOpen) return first;
    const { trouble } = await element.call('look', { point: true, enabled: true });
    if (trouble === 'covered' || trouble === 'hidden' || trouble === 'boxless') await this.#openByKey();
    else await clickOn(element);
    const clicked = await this.until(OPEN_MS, ({ isOpen }) => isOpen);
    if (clicked.isOpen) return clicked;
    await this.#openByKey();
    return this.until(OPEN_MS, ({ isOpen }) => isOpen);
  }

  async #openByKey(): Promise<void> {
    await this.element.call('focusOn');
    await this.#press('ArrowDown');
  }

  /** Along the parts of a path: through the columns of a cascade, or the branches of a tree. */
  async #walk(text: string): Promise<boolean> {
    const parts = text.split(PATH);
    if (parts.length < 2) return false;
    for (const [at, part] of parts.slice(0, -1).entries()) {
      const branch = await this.#find(part, TAKE_MS);
      if (!branch) return false;
      await hoverOn(branch);
      if (await this.#find(parts[at + 1]!, HOVER_MS)) continue;
      const { isFolded } = await branch.call('optionState');
      const unfolder = isFolded ? await branch.find('unfolderOf', phrase`${branch.description}`) : undefined;
      await clickOn(unfolder ?? branch);
    }
    return this.take(parts[parts.length - 1]!, TAKE_MS);
  }

  /** By typing, where the list has a field for it; else, or when that does not bring it up, by scrolling. */
  async #search(text: string, { isSearchable }: Offer): Promise<boolean> {
    const { element } = this;
    const { tab, limits } = element;
    const field = isSearchable ? await element.find('searchField', phrase`the search field`) : undefined;
    if (field && this.by !== 'index') {
      await field.call('focusAndSelect', true);
      await tab.send(limits, tab.main, 'Input.insertText', { text });
      if (await this.take(text, SEARCH_MS)) return true;
      await field.call('focusAndSelect', true);
      await this.#press('Delete');
    }
    for (let page = 0; page < MOST_PAGES && remaining(limits) > RESERVE_MS; page++) {
      if (await this.take(text, 0)) return true;
      if (!(await element.call('scrollOptions'))) return false;
    }
    return false;
  }

  /** Nothing is reported that did not happen: the widget must show what was chosen, or at least something else than before. */
  async #verify(text: string, before: string): Promise<void> {
    const end = this.#end(TAKE_MS);
    const last = text.split(PATH).pop()!;
    for (;;) {
      const now = await this.element.call('shows');
      if (now !== before || includes(now, last) || this.by === 'index' || this.by === 'value') return;
      if (performance.now() > end)
        throw new Failure(
          'not_taken',
          phrase`The option ${JSON.stringify(text.slice(0, 60))} was clicked, but ${this.element.label} shows ${JSON.stringify(now.slice(0, 100))}.`,
          BY_HAND,
        );
      await this.element.call('offers', 1);
    }
  }

  #missing(text: string, { isOpen, labels }: Offer): Failure {
    const { label } = this.element;
    if (!isOpen && labels.length === 0)
      return new Failure('not_found', phrase`${label} opened no list of options.`, BY_HAND);
    return new Failure(
      'not_found',
      phrase`${label} offers no option ${JSON.stringify(text.slice(0, 60))}. Options: ${labels.join(', ').slice(0, 600) || 'none'}.`,
      'Use one of these, or the path to it: "Italy / Rome".',
    );
  }
}

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
