// Stand-ins for the engine: tests of the path of a call need no browser.

import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { currentEnvironment } from '../../src/config/environment.ts';
import { type Layer, merge } from '../../src/config/load.ts';
import type { Log } from '../../src/config/log.ts';
import type { Options } from '../../src/config/options.ts';
import { NORMAL } from '../../src/engine/emulation/settings.ts';
import type { Limits } from '../../src/engine/limits.ts';
import type { Tab } from '../../src/engine/tab/tab.ts';
import { Failure } from '../../src/errors.ts';

export class StandInTab {
  readonly emulation = { settings: NORMAL };
  readonly events = new EventEmitter();
  dialog: { type: string; message: string } | undefined;
  diagnose = async (failure: Failure): Promise<Failure> => failure;
  url = 'about:blank';
  constructor(readonly id: number) {}
  checkDialog(): void {
    if (this.dialog) throw new Failure('dialog_open', `A dialog says "${this.dialog.message}".`);
  }
}

/** Instead of a look at the page: what the test says. */
export const diagnose = (tab: StandInTab, failure: Failure): Promise<Failure> => tab.diagnose(failure);

export class StandInContext {
  readonly changes = new EventEmitter();
  readonly isBorrowed = false;
  readonly tabs = [new StandInTab(1), new StandInTab(2)];
  notes: string[] = [];
  closed = 0;
  closing: () => Promise<void> = async () => undefined;
  reaching: (limits: Limits) => Promise<void> = async () => undefined;
  constructor(readonly kind: { name: string; isDefault: boolean }) {}
  async tab(tabId: number | undefined, limits: Limits): Promise<Tab> {
    await this.reaching(limits);
    const tab = this.tabs.find(({ id }) => id === (tabId ?? 1));
    if (!tab) throw new Failure('no_tab', `There is no tab ${tabId}.`);
    return tab as unknown as Tab;
  }
  async readState(): Promise<undefined> {
    return undefined; // no browser, nothing to save
  }
  renewShares(): void {}
  takeNotes(): string[] {
    return this.notes.splice(0);
  }
  close(): Promise<void> {
    this.closed++;
    return this.closing();
  }
}

export class StandInChrome {
  readonly events = new EventEmitter();
  closed = 0;
  async close(): Promise<void> {
    this.closed++;
  }
}

/** A log that keeps its lines. */
export function keptLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => void lines.push(`${level}: ${line}`);
  return { lines, error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** A folder that goes away with the test. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'tabwright-test-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

export const optionsIn = (stateDir: string, more: Layer = {}): Options =>
  merge([{ stateDir, ...more }], currentEnvironment());

/** A promise that the test settles. */
export function gate<T = void>() {
  let open!: (value: T) => void;
  let fail!: (reason: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}
