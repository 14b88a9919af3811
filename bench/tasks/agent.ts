// An agent that knows its job, but not the page: it goes by what the server has printed. What differs between servers is in the other files.
import { setTimeout as pause } from 'node:timers/promises';
import type { Driver } from '../driver.ts';
import type { Call } from '../servers.ts';
import { elementsIn, type PrintedForm, refIn } from './reading.ts';

/** A target is a role and a name as a person reads them: `button "Save"`. */
export type Action =
  | { fill: string; with: string }
  | { select: string; option: string }
  | { check: string; on: boolean }
  | { upload: string; file: string }
  /** `anew`: the page has replaced it, so that what was printed before the last actions does not count. */
  | { click: string; anew?: true };

/** An action, and the ref of its target. */
export type Aimed = Action & { ref: string };

/** What the agent needs to know after its actions. */
export interface After {
  /** Words that it must have been shown. */
  see?: string;
  /** They come some time later: it waits for them. */
  late?: true;
  /** It has to go on with what the actions bring up. */
  look?: true;
  /** They lead to another page. */
  page?: true;
}

export interface Cost {
  calls: number;
  /** Of the names and arguments of calls, and of the texts of answers. */
  chars: number;
  ms: number;
}

export const targetOf = (action: Action): string =>
  Object.entries(action).find(([key]) => /^(fill|select|check|upload|click)$/.test(key))?.[1] as string;

export const isField = (action: Action): boolean => 'fill' in action || 'select' in action || 'check' in action;

export const heldBy = (action: Aimed): string | boolean =>
  'fill' in action ? action.with : 'select' in action ? action.option : 'check' in action ? action.on : '';

/** Fields that follow each other are one form. */
export function groupsOf(actions: readonly Aimed[]): Aimed[][] {
  const groups: Aimed[][] = [];
  for (const action of actions) {
    const last = groups.at(-1);
    if (last && isField(action) && isField(last[0] as Aimed)) last.push(action);
    else groups.push([action]);
  }
  return groups;
}

/** How often it looks again for what is not there yet. */
const MOST_LOOKS = 15;
const LOOK_AGAIN_MS = 150;

export abstract class Agent {
  cost: Cost = { calls: 0, chars: 0, ms: 0 };
  /** What it goes by, and the latest answer. */
  protected printed = '';
  protected latest = '';
  protected abstract readonly form: PrintedForm;

  constructor(
    readonly driver: Driver,
    /** Is told every call and its answer. */
    readonly log: (text: string) => void,
  ) {}

  /** Opens a page and looks at it. */
  abstract open(url: string): Promise<void>;
  /** Looks at the page as it is now. */
  protected abstract look(): Promise<void>;
  /** Does it with as few calls as the server allows. */
  protected abstract perform(actions: readonly Aimed[], after: After): Promise<void>;

  async act(actions: readonly Action[], after: After = {}): Promise<void> {
    const aimed: Aimed[] = [];
    for (const action of actions) aimed.push({ ...action, ref: await this.aim(targetOf(action), 'anew' in action) });
    this.latest = '';
    await this.perform(aimed, after);
    if (after.see !== undefined) await this.#see(after.see);
  }

  protected refOf(target: string): string | undefined {
    return refIn(elementsIn(this.printed, this.form), target);
  }

  protected async aim(target: string, _anew: boolean): Promise<string> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const ref = this.refOf(target);
      if (ref !== undefined) return ref;
      if (looks > 0) await pause(LOOK_AGAIN_MS);
      await this.look();
    }
    throw new Error(`${target} is not in what was printed: ${this.printed.slice(0, 1_500)}`);
  }

  async #see(words: string): Promise<void> {
    for (let looks = 0; !this.latest.includes(words); looks++) {
      if (looks === MOST_LOOKS) throw new Error(`"${words}" was not shown: ${this.latest.slice(0, 1_500)}`);
      if (looks > 0) await pause(LOOK_AGAIN_MS);
      await this.check(words);
    }
  }

  /** The cheapest way to learn whether the page shows these words. */
  protected check(_words: string): Promise<void> {
    return this.look();
  }

  protected async call(tool: string, args: Call['args'] = {}): Promise<string> {
    const sent = JSON.stringify({ name: tool, arguments: args });
    this.cost.calls++;
    this.cost.chars += sent.length;
    try {
      const { text, ms } = await this.driver.call({ tool, args });
      this.cost.chars += text.length;
      this.cost.ms += ms;
      this.log(`> ${sent}\n${text}`);
      this.latest += `${text}\n`;
      return text;
    } catch (error) {
      this.cost.chars += error instanceof Error ? error.message.length : 0;
      throw error;
    }
  }
}
