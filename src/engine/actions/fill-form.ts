// Fills many fields in one go, with the code of fill and select; goes on after a field that failed.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { joined, type Phrase, phrase } from '../../text.ts';
import { quoteSelector } from '../elements/resolve.ts';
import { bounded, type Limits } from '../limits.ts';
import { Receipt } from '../receipt/receipt.ts';
import type { Tab } from '../tab/tab.ts';
import { type Effects, unlessLeaving } from './effects.ts';
import { type FillResult, fill, offerText } from './fill.ts';
import { select } from './select.ts';

export interface FormField {
  selector: string;
  value: string | number | boolean | string[];
}

export interface FieldResult {
  /** The element, as the caller called it. */
  field: string;
  /** What was set, in few words; or why nothing was. */
  did: string | Phrase;
  ok: boolean;
}

export interface FormResult extends Effects {
  fields: FieldResult[];
}

/** A field that is not there is waited for, in case the form is still coming; once one was missing, the rest get less. */
const AFTER_FAILURE_MS = 1_000;

export async function fillForm(
  tab: Tab,
  input: { fields: FormField[]; frameId?: number | undefined },
  limits: Limits,
): Promise<FormResult> {
  // One for the whole form.
  const receipt = Receipt.begin(tab, limits);
  try {
    const form = new Form(tab, input.frameId, { ...limits, receipt: 'none' });
    for (const field of input.fields) await form.add(field);
    const result = form.done();
    if (!receipt || tab.dialog) return result;
    await unlessLeaving(tab, receipt.settle());
    const lines = await receipt.lines({ ofForm: true });
    return { ...result, ...(lines.length > 0 && { receipt: lines }) };
  } finally {
    receipt?.end();
  }
}

/** One form under way. */
class Form {
  readonly #fields: FieldResult[] = [];
  readonly #effects: Effects = {};
  #failure: Failure | undefined;

  constructor(
    readonly tab: Tab,
    readonly frameId: number | undefined,
    readonly limits: Limits,
  ) {}

  async add(field: FormField): Promise<void> {
    try {
      const { did, effects } = await this.#set(field);
      this.#fields.push({ field: quoteSelector(field.selector), did, ok: true });
      Object.assign(this.#effects, effects);
    } catch (error) {
      this.limits.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      this.#failure ??= error;
      this.#fields.push({ field: quoteSelector(field.selector), did: error.messageText, ok: false });
    }
  }

  done(): FormResult {
    const missed = this.#fields.filter(({ ok }) => !ok).length;
    if (this.#failure)
      throw new Failure(
        this.#failure.code,
        joined([`${missed} of ${this.#fields.length} fields were not filled.`, ...fieldLines(this.#fields)], '\n'),
        this.#failure.hintText,
      );
    return { fields: this.#fields, ...this.#effects };
  }

  async #set({ selector, value }: FormField): Promise<{ did: string; effects: Effects }> {
    const { tab, frameId, limits } = this;
    tab.checkDialog();
    const ms = this.#failure ? AFTER_FAILURE_MS : tab.options.timeoutAction;
    const late = () => new Failure('timeout', `It was not done within ${ms} ms.`);
    const target = { selector, frameId };
    return bounded(limits, ms, late, async bound => {
      if (Array.isArray(value)) {
        const { element, selected, ...effects } = await select(tab, target, { by: 'any', wanted: value }, bound);
        return { did: selected.join(', ') || 'nothing chosen', effects };
      }
      const input = { ...target, value: String(value), toggles: typeof value === 'boolean' };
      const { element, holds, set, offered, ...effects } = await fill(tab, input, bound);
      return { did: outcomeText(defined({ holds, set, offered }), value), effects };
    });
  }
}

function outcomeText(
  { holds, set, offered }: Pick<FillResult, 'holds' | 'set' | 'offered'>,
  value: FormField['value'],
): string {
  if (set !== undefined) return set;
  if (holds !== undefined) return `filled; the page made it ${holds}`;
  if (offered !== undefined) return `filled${offerText(offered)}`;
  return value === '' ? 'emptied' : 'filled';
}

export const fieldLines = (fields: FieldResult[]): Phrase[] =>
  fields.map(({ field, did, ok }) => phrase`- ${field}: ${ok ? '' : 'failed: '}${did}`);
