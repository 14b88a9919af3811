// Callers of the agent-browser bridge who name a program of their choice as the browser.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { stubKit } from '../bridge/kit.ts';

const kit = stubKit();
afterAll(() => kit.remove());

it('15.18 the bridge starts no program that only a caller has named', async () => {
  const program = join(kit.folder, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${join(kit.folder, 'ran')}\n`);
  chmodSync(program, 0o755);
  for (const tool of ['agent_browser_reload', 'agent_browser_health']) {
    const { ok, stderr, invoked } = await kit.call(tool, { executable_path: program });
    expect([ok, stderr], tool).toEqual([false, expect.stringContaining('rule "--allow-executables"')]);
    expect(invoked.args, tool).not.toContain(program);
  }
  expect(existsSync(join(kit.folder, 'ran'))).toBe(false);
});
