// A user's shell in a state folder of its own: commands of the build, run to their end, and no server left afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { readOwner, socketFolder } from '../../../src/surfaces/socket/place.ts';
import { BUNDLE, cleanEnv, isAlive, temporaryFolder } from '../process.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ShellOptions {
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Another build. */
  bundle?: string;
}

export class Shell {
  readonly folder = temporaryFolder();
  readonly stateDir = join(this.folder.path, 'state');

  run(args: readonly string[], { input, cwd, env, bundle = BUNDLE }: ShellOptions = {}): Promise<Ran> {
    const child = spawn(process.execPath, [bundle, ...args], {
      cwd: cwd ?? this.folder.path,
      env: { ...cleanEnv(this.stateDir), ...env },
    });
    const out = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', text => {
        out[stream] += text;
      });
    child.stdin.on('error', () => undefined).end(input ?? ''); // it may end before it reads
    return once(child, 'close').then(([code]) => ({ code, ...out }));
  }

  /** What a command prints that must work. */
  async out(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}, ${stderr}`);
    return stdout;
  }

  /** Of the server that commands have started. */
  pid(name = 'background'): number | undefined {
    return readOwner(socketFolder(this.stateDir), name)?.pid;
  }

  /** Ends the server. Throws when a process is left. */
  async end(): Promise<void> {
    const pid = this.pid();
    if (existsSync(this.stateDir)) await this.run(['stop']);
    this.folder.remove();
    if (pid !== undefined) await vi.waitUntil(() => !isAlive(pid), { timeout: 5_000 });
  }
}

/** A page without a server. */
export const page = (html: string): string => `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
