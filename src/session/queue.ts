// Queue: the order of the calls of one session. Writes run one at a time; reads pass writes that only wait.

/** write: alone among writes. read: beside others. free: never waits. */
export type TurnKind = 'read' | 'write' | 'free';

export interface Turn {
  /** From here on this call only waits (for a slow page): reads may pass it, writes may not. */
  waiting(): void;
  /** Gives the turn up; a second end does nothing. */
  end(): void;
}

interface QueueEntry {
  readonly kind: 'read' | 'write';
  state: 'queued' | 'running' | 'waiting';
  start(): void;
}

const FREE: Turn = { waiting() {}, end() {} };

export class Queue {
  /** In order of arrival: writes until they are over, reads until they start (no call waits for a read). */
  #line: QueueEntry[] = [];

  /** Resolves when the turn has come. A signal that aborts before then gives the entry up and rejects with its reason. */
  turn(kind: TurnKind, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (kind === 'free') return Promise.resolve(FREE);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#leave(entry);
        reject(signal.reason);
      };
      const entry: QueueEntry = {
        kind,
        state: 'queued',
        start: () => {
          signal.removeEventListener('abort', giveUp);
          entry.state = 'running';
          resolve(this.#turnOf(entry));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#line.push(entry);
      this.#advance();
    });
  }

  #turnOf(entry: QueueEntry): Turn {
    if (entry.kind === 'read') return FREE;
    return {
      waiting: () => {
        entry.state = 'waiting';
        this.#advance();
      },
      end: () => this.#leave(entry),
    };
  }

  #leave(entry: QueueEntry): void {
    this.#line = this.#line.filter(other => other !== entry);
    this.#advance();
  }

  /** Starts every call whose turn has come. */
  #advance(): void {
    let writesBefore = 0;
    let allWait = true;
    for (const entry of this.#line) {
      if (entry.kind === 'write') {
        if (entry.state === 'queued' && writesBefore === 0) entry.start();
        writesBefore++;
        allWait &&= entry.state === 'waiting';
      } else if (allWait) entry.start();
    }
    this.#line = this.#line.filter(({ kind, state }) => kind === 'write' || state === 'queued');
  }
}
