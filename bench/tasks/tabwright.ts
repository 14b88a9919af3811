// Tabwright: several actions are one batch, receipts are looks; what a receipt has not shown is found and used within the next batch.
import type { Call } from '../servers.ts';
import { type After, Agent, type Aimed, groupsOf, heldBy, isField } from './agent.ts';
import { FORMS, readTarget } from './reading.ts';

interface BatchStep extends Call {
  expect?: { text: string };
}

const SHORT = { style: 'short' };
/** Where only controls are needed. */
const CONTROLS = { ...SHORT, mode: 'interactive' };

export class TabwrightAgent extends Agent {
  protected readonly form = FORMS.tabwright;

  async open(url: string): Promise<void> {
    this.latest = '';
    this.printed = await this.#send([step('navigate', { url }), step('snapshot', CONTROLS)]);
  }

  protected async look(): Promise<void> {
    this.printed = (await this.call('snapshot', { ...SHORT, since: 'last' })) + this.printed;
  }

  /** What was not printed yet is looked for when its turn comes. */
  protected override async aim(target: string, anew: boolean): Promise<string> {
    return (anew ? undefined : this.refOf(target)) ?? target;
  }

  protected async perform(actions: readonly Aimed[], { see, late, page }: After): Promise<void> {
    const steps: BatchStep[] = [];
    const aimed = (ref: string): string => {
      if (ref.startsWith('@')) return ref;
      steps.push(step('find', { text: `/^${readTarget(ref).name.replaceAll(/[.?+*]/g, '\\$&')}$/` }));
      return `$${steps.length}.ref`;
    };
    for (const group of groupsOf(actions)) {
      const [first] = group as [Aimed];
      if (group.length > 1)
        steps.push(step('fill_form', { fields: group.map(one => ({ selector: aimed(one.ref), value: heldBy(one) })) }));
      else steps.push(stepFor(first, aimed(first.ref)));
    }
    if (see !== undefined && late) steps[steps.length - 1]!.expect = { text: see };
    if (page) steps.push(step('snapshot', see === undefined ? CONTROLS : SHORT));
    const answer = await this.#send(steps);
    this.printed = page ? answer : answer + this.printed;
  }

  #send(steps: BatchStep[]): Promise<string> {
    const [only] = steps;
    if (steps.length === 1 && only && !only.expect) return this.call(only.tool, only.args);
    return this.call('batch', { calls: steps });
  }
}

const step = (tool: string, args: Call['args']): BatchStep => ({ tool, args });

function stepFor(action: Aimed, selector: string): BatchStep {
  if ('upload' in action) return step('upload', { selector, files: [action.file] });
  return isField(action) ? step('fill', { selector, value: String(heldBy(action)) }) : step('click', { selector });
}
