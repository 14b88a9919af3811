// A server with the test's own tools, and calls to it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Call, type Result, run } from '../../src/call/call.ts';
import type { Layer } from '../../src/config/load.ts';
import { oldNames } from '../../src/dialects/index.ts';
import type { Limits } from '../../src/engine/limits.ts';
import type { Policy } from '../../src/policy/decide.ts';
import { Rules } from '../../src/session/rules/rules.ts';
import { Server } from '../../src/session/server.ts';
import type { AnyTool } from '../../src/tools/tool.ts';
import { folder, keptLog, optionsIn, type StandInContext } from './stand-in.ts';

export type Run = (input: Record<string, unknown>, limits: Limits, place: unknown) => Promise<unknown>;

/** A tool that does what the test says. */
export const row = (name: string, does: Run, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  group: 'forms',
  summary: name,
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: { tabId: z.number().optional(), timeout: z.number().optional() },
  run: (place: unknown, input: Record<string, unknown>, limits: Limits) => does(input, limits, place),
  text: (data: unknown) => `said ${JSON.stringify(data)}`,
  ...more,
});

/** A server on stand-ins (the test file must mock the engine), and what a test asks of it. */
export async function setup(rows: AnyTool[], layer: Layer = {}, policy?: Policy) {
  const log = keptLog();
  const state = await folder();
  const options = optionsIn(state, layer);
  const server = new Server(options, log, new Rules(options, policy));
  const call = (name: string, args: unknown = {}, more: Partial<Call> = {}): Promise<Result> =>
    run({ server, tools: rows, oldNames }, { name, args, caller: { id: 'ann' }, ...more });
  const { context: opened } = await server.session(undefined, { id: 'ann' });
  const context = opened as unknown as StandInContext;
  const journal = async () => {
    await server.journal.close();
    const text = await readFile(join(state, 'journal', 'journal.jsonl'), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
  };
  return { server, call, context, log, journal };
}
