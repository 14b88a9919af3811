// Does one job at one server as an agent would: look, find the ref, act; and asks the page what came of it.
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../bench/servers.ts';
import type { Adapter, Side } from './adapters.ts';
import type { Job, Step, Target } from './job.ts';
import { findIn } from './snapshot.ts';

/** How long an agent looks again for what is not there yet. */
const LOOK_MS = 2_500;
const LOOK_AGAIN_MS = 150;
const MOST_SCROLLS = 60;

/** Sends a call; gives the text of the answer, throws that of a refusal. */
export type Send = (call: Call) => Promise<string>;

class NotDone extends Error {}

const short = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 220);

export class Player {
  #answer = '';

  constructor(
    readonly adapter: Adapter,
    readonly send: Send,
  ) {}

  /** Undefined when the job is done, else why not. */
  async play(url: string, job: Job): Promise<string | undefined> {
    try {
      await this.#act(this.adapter.server.open(url));
      for (const step of job.steps) await this.#step(step);
      return await this.#judge(job);
    } catch (error) {
      return short(error instanceof Error ? error.message : String(error));
    }
  }

  async #act(call: Call): Promise<void> {
    this.#answer = await this.send(call);
  }

  async #look(target: Target): Promise<{ ref: string } | { why: string }> {
    const { read, readWords = read, ref } = this.adapter.server;
    return findIn(await this.send(readWords), target, ref);
  }

  async #find(target: Target): Promise<string> {
    const end = performance.now() + LOOK_MS;
    for (;;) {
      const found = await this.#look(target);
      if ('ref' in found) return found.ref;
      if (performance.now() > end)
        throw new NotDone(this.#answer ? `${found.why}; before: ${short(this.#answer)}` : found.why);
      await pause(LOOK_AGAIN_MS);
    }
  }

  async #step(step: Step): Promise<void> {
    const { adapter } = this;
    if ('click' in step) await this.#click(step.click, step.times);
    else if ('dblclick' in step) await this.#act(adapter.dblclick(await this.#find(step.dblclick)));
    else if ('rightclick' in step) await this.#rightclick(step.rightclick);
    else if ('hover' in step) await this.#act(adapter.hover(await this.#find(step.hover)));
    else if ('fill' in step) await this.#act(adapter.server.fill(await this.#find(step.fill), step.with));
    else if ('select' in step) await this.#select(step.select, step.in);
    else if ('type' in step) for (const call of adapter.type(step.type)) await this.#act(call);
    else if ('press' in step)
      for (let left = step.times ?? 1; left > 0; left--) await this.#act(adapter.press(step.press));
    else if ('reach' in step) await this.#reach(step.reach, step.in);
    else await this.#drag(step);
  }

  /** Several times with one ref, where the server lets it go on. */
  async #click(target: Target, times = 1): Promise<void> {
    const { click } = this.adapter.server;
    let ref = await this.#find(target);
    for (let done = 0; done < times; done++) {
      try {
        await this.#act(click(ref));
      } catch (error) {
        if (done === 0) throw error;
        ref = await this.#find(target);
        await this.#act(click(ref));
      }
    }
  }

  async #rightclick(target: Target): Promise<void> {
    const { rightclick } = this.adapter;
    if (!rightclick) throw new NotDone('it has no right click');
    await this.#act(rightclick(await this.#find(target)));
  }

  /** With the tool for lists; where that refuses, by clicks: to open it, then on the option, or on each part of its path. */
  async #select(option: string, list: Target): Promise<void> {
    const ref = await this.#find(list);
    try {
      await this.#act(this.adapter.select(ref, option));
      if (this.adapter.selectTypes) await this.#take(option);
    } catch {
      await this.#act(this.adapter.server.click(ref));
      for (const part of option.split(' / '))
        await this.#act(this.adapter.server.click(await this.#find(`option "${part}"`)));
    }
  }

  /** Clicks the option that came up for what was typed, if one did. */
  async #take(option: string): Promise<void> {
    const found = await this.#look(`option "${option}"`);
    if ('ref' in found) await this.#act(this.adapter.server.click(found.ref));
  }

  async #drag(step: Extract<Step, { drag: Target }>): Promise<void> {
    const from = await this.#find(step.drag);
    const [side, target] = Object.entries(step).find(([key]) => key !== 'drag') as [Side, Target];
    await this.#act(this.adapter.drag(from, await this.#find(target), side));
  }

  async #reach(target: Target, list: Target): Promise<void> {
    for (let scrolled = 0; scrolled < MOST_SCROLLS; scrolled++) {
      if ('ref' in (await this.#look(target))) return;
      for (const call of this.adapter.scroll(await this.#find(list))) await this.#act(call);
    }
    throw new NotDone(`${target} did not come up in ${MOST_SCROLLS} scrolls`);
  }

  async #outcome(): Promise<Record<string, unknown>> {
    const code = `'outcome=' + encodeURIComponent(JSON.stringify(window.outcome)) + '='`;
    const said = await this.send(this.adapter.server.evaluate(code));
    const encoded = /outcome=([\w%.!~*()-]+)=/.exec(said)?.[1];
    if (encoded === undefined) throw new Error(`no outcome in: ${said}`);
    return JSON.parse(decodeURIComponent(encoded));
  }

  async #judge({ expect }: Job): Promise<string | undefined> {
    const end = performance.now() + LOOK_MS;
    for (;;) {
      const outcome = await this.#outcome();
      const wrong = Object.keys(expect).filter(key => !isDeepStrictEqual(outcome[key], expect[key]));
      if (wrong.length === 0) return undefined;
      if (performance.now() > end) {
        const is = wrong.map(key => `${key} is ${JSON.stringify(outcome[key])}, not ${JSON.stringify(expect[key])}`);
        return `${is.join(', ')}; answered: ${short(this.#answer)}`;
      }
      await pause(LOOK_AGAIN_MS);
    }
  }
}
