// What was measured so far: all figures of each server, and what failed.
import type { Figures, MetricKey, TaskName } from './metrics.ts';

export interface Fault {
  server: string;
  task: TaskName;
  message: string;
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

export class Tally {
  readonly faults: Fault[] = [];
  readonly #values = new Map<string, number[]>();

  add(server: string, figures: Figures): void {
    for (const [metric, value] of Object.entries(figures)) {
      const key = `${server} ${metric}`;
      this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    }
  }

  fail(server: string, task: TaskName, error: unknown): void {
    this.faults.push({ server, task, message: error instanceof Error ? error.message : String(error) });
  }

  failed(server: string, task: TaskName): boolean {
    return this.faults.some(fault => fault.server === server && fault.task === task);
  }

  median(server: string, metric: MetricKey): number | undefined {
    return median(this.#values.get(`${server} ${metric}`) ?? []);
  }
}
