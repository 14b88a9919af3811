// A server with the page at /view inside the test, whose agents call through the runtime that every surface uses.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '../../../src/call/call.ts';
import { load } from '../../../src/config/load.ts';
import { makeLog } from '../../../src/config/log.ts';
import type { Caller } from '../../../src/session/callers.ts';
import { usable } from '../../../src/surfaces/listing/toolset.ts';
import { policyOf, Runtime } from '../../../src/surfaces/runtime.ts';
import { view } from '../../../src/surfaces/view/routes.ts';
import { fixedKeys, type Here, listenHere } from '../http/here.ts';

export interface ServedView {
  here: Here;
  runtime: Runtime;
  folder: string;
  call(name: string, args?: Record<string, unknown>, caller?: Caller): Promise<Result>;
  close(): Promise<void>;
}

/** `tokens`: by the ids of their callers. */
export async function serveView(tokens: Record<string, string>, ...flags: string[]): Promise<ServedView> {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-view-'));
  const folders = ['--state-dir', join(folder, 'state'), '--output-dir', join(folder, 'output')];
  const { options } = await load([...folders, '--no-block-private', ...flags]);
  const log = makeLog('error', () => undefined);
  const runtime = new Runtime(options, usable(options.tools), log, await policyOf(options));
  const store = await fixedKeys(tokens);
  const groups = { tokens: store, routeGroups: [view(store, runtime, '1')] };
  const here = await listenHere(runtime.run, {}, groups);
  return {
    here,
    runtime,
    folder,
    call: (name, args = {}, caller = { id: 'http', rateLimit: 0 }) => runtime.run({ name, args, caller }),
    async close() {
      await here.end();
      await runtime.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
