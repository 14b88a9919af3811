// A daemon that comes later than the CLI waits for it: the command is run again once it is there, and only then (S0-21).
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Modes, type StubKit, stubKit } from '../kit.ts';

let kit: StubKit;
let daemon: Server | undefined;
beforeAll(() => {
  kit = stubKit();
});
afterEach(() => {
  daemon?.close();
  daemon = undefined;
});
afterAll(() => kit.remove());

const runsIn = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

/** One call whose first run gives up on its daemon; the daemon then comes to that socket, or never. */
async function callWith(name: string, modes: Modes, args: Record<string, unknown> = {}, comesTo?: string) {
  const file = join(kit.folder, `${name}.txt`);
  const call = kit.call('agent_browser_reload', args, { STUB: 'hasty', STUB_FILE: file, ...modes });
  await vi.waitFor(() => expect(runsIn(file)).toHaveLength(1), { timeout: 20_000 });
  if (comesTo !== undefined) daemon = createServer().listen(comesTo);
  return { result: await call, runs: runsIn(file) };
}

describe('a daemon that comes late', () => {
  it('S0-21 is waited for at the socket that the program names', async () => {
    const socket = join(kit.folder, 'named.sock');
    const { result, runs } = await callWith('named', { STUB_TEXT: socket }, { session: 'a' }, socket);
    expect(result).toMatchObject({ ok: true, exitCode: 0, parsedJson: { success: true } });
    expect(runs).toEqual(['--session a --json reload', '--session a --json reload']);
  });

  it.each([
    ['AGENT_BROWSER_SOCKET_DIR', 'a.sock'],
    ['TMPDIR', 'agent-browser-a.sock'],
  ])('S0-21 is waited for where old versions have their sockets: %s', async (variable, socket) => {
    const modes = { [variable]: kit.folder };
    const { result, runs } = await callWith(variable, modes, { session: 'a' }, join(kit.folder, socket));
    expect(result.ok).toBe(true);
    expect(runs).toHaveLength(2);
  });

  it('S0-13 S0-21 is waited for no longer than the call may take, and nothing runs twice without it', async () => {
    const socket = join(kit.folder, 'never.sock');
    const { result, runs } = await callWith('never', { STUB_TEXT: socket }, { timeout_ms: 3_500 });
    expect(result).toMatchObject({ ok: false, exitCode: 1 });
    expect(result.stdout).toContain('Daemon failed to start');
    expect(runs).toHaveLength(1);
  });
});
