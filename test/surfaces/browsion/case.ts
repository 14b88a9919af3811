// One case for each tool: what is sent, what comes back, and what it did in a real browser.
import { expect } from 'vitest';
import { DEFINITION } from '../../../src/dialects/browsion/definition.ts';
import type { Lab } from './lab.ts';
import type { Args, Send, Told } from './service.ts';

const PROFILE = 'main';

export interface Scene {
  lab: Lab;
  /** Where files for this test may be. */
  folder: string;
  /** Any tool, by plain HTTP; gives the body of an answer that went well. */
  call(tool: string, args?: Args): Promise<unknown>;
  /** What an expression gives in the page. */
  js(expression: string): Promise<unknown>;
  /** The ref of the element of that name. */
  ref(name: string): Promise<string>;
}

export interface Case {
  /** Of the requirement. */
  id: string;
  tool: string;
  /** Opened before it; /lab when left out, none when null. */
  page?: string | null;
  /** Done before it. */
  first?(scene: Scene): Promise<unknown>;
  args?: Args | ((scene: Scene) => Args | Promise<Args>);
  /** What the answer must have. */
  gives: unknown;
  /** What must be so in the page, sooner or later: an expression and its value. */
  js?: readonly [expression: string, value: unknown];
  after?(scene: Scene, told: Told): Promise<void> | void;
}

/** The lab has heard an event of an element. */
export const heard = (event: string): NonNullable<Case['js']> => [`heard(${JSON.stringify(event)})`, true];

export async function runCase(one: Case, scene: Scene, send: Send): Promise<void> {
  const { tool, page = '/lab', first, args = {}, gives, js, after } = one;
  if (page !== null) await scene.call('navigate', { url: scene.lab.url + page });
  await first?.(scene);
  const given = typeof args === 'function' ? await args(scene) : args;
  const told = await send(tool, withProfile(tool, given));
  if (!told.ok) throw new Error(`${tool} ${JSON.stringify(given)}: ${JSON.stringify(told.body)}`);
  expect(told.body).toEqual(gives);
  if (js) await expect.poll(() => scene.js(js[0])).toEqual(js[1]);
  await after?.(scene, told);
}

export const withProfile = (tool: string, args: Args): Args =>
  DEFINITION.tools[tool]?.arguments.profile_id ? { profile_id: PROFILE, ...args } : args;
