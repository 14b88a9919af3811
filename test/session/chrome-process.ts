// The browser that this process has started, seen and ended from outside.
import { readdirSync, readFileSync } from 'node:fs';

/** Chrome's own processes: children of this one. */
export function chromePids(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        const isOurs = Number(parent) === process.pid;
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
      } catch {
        return false; // it ended while it was looked at
      }
    });
}

export const killChrome = (): void => chromePids().forEach(pid => void process.kill(pid, 'SIGKILL'));
