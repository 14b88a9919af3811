// What is being captured of the traffic of one tab.
import type { Recording } from './recording.ts';

export class Captures {
  traffic: Recording | undefined;
  /** Where its file goes, when it was said at the start. */
  path: string | undefined;

  /** The tab ends. */
  async end(): Promise<void> {
    this.traffic?.end('with its tab');
  }
}
