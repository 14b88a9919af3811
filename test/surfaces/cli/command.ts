// Runs the built command to its end, as a person does in a terminal, and gives all that came out of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { findRunning, type RunningServer } from '../../../src/surfaces/client/running-servers.ts';
import { BUNDLE, cleanEnv } from '../process.ts';

export interface Printed {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Command {
  child: ChildProcess;
  printed: Promise<Printed>;
}

export interface More {
  /** What comes on stdin. */
  input?: string;
  env?: Record<string, string>;
}

export function startCommand(stateDir: string, args: string[], { input = '', env = {} }: More = {}): Command {
  const child = spawn(process.execPath, [BUNDLE, ...args], { env: { ...cleanEnv(stateDir), ...env } });
  const out = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', text => {
      out[stream] += text;
    });
  // The command may end before it has read its input.
  child.stdin.on('error', () => undefined).end(input);
  return { child, printed: once(child, 'close').then(([code]) => ({ code, ...out })) };
}

export const runCommand = (stateDir: string, args: string[], more?: More): Promise<Printed> =>
  startCommand(stateDir, args, more).printed;

export interface Serve {
  running: RunningServer;
  child: ChildProcess;
  stop(): Promise<Printed>;
}

/** A `serve` on a free port, when it answers. */
export async function startServe(stateDir: string, ...flags: string[]): Promise<Serve> {
  const { child, printed } = startCommand(stateDir, ['serve', '--port', '0', ...flags]);
  const running = await vi.waitFor(
    async () => {
      const found = await findRunning(stateDir);
      if (!found && child.exitCode === null) throw new Error('serve does not answer yet');
      return found;
    },
    { timeout: 20_000 },
  );
  if (!running) throw new Error(`serve ended: ${(await printed).stderr}`);
  return {
    running,
    child,
    stop() {
      child.kill('SIGTERM');
      return printed;
    },
  };
}
