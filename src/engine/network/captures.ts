// What is being captured in one tab: its traffic, a trace, both or neither.
import type { Recording } from './recording.ts';
import type { Trace, Traced } from './trace.ts';

export class Captures {
  traffic: Recording | undefined;
  trace: Trace | undefined;
  /** The last trace that was saved. */
  traced: Traced | undefined;
  /** Where the file of each goes, when it was said at the start. */
  readonly paths: { network?: string | undefined; trace?: string | undefined } = {};

  /** The tab ends. */
  async end(): Promise<void> {
    this.traffic?.end('with its tab');
    await this.trace?.drop();
  }
}
