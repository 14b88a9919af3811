// Queue: whose turn it is in one session. Writes run one at a time; reads pass writes that only wait.

/** write: alone among writes. read: beside others. free: never waits. */
export type TurnKind = 'read' | 'write' | 'free';

export interface Turn {
  /** From here on this call only waits (for a slow page): reads may pass it, writes may not. */
  waiting(): void;
  /** Gives the turn up; a second end does nothing. */
  end(): void;
}

interface Place {
  readonly kind: 'read' | 'write';
  state: 'queued' | 'running' | 'waiting';
  start(): void;
}

const FREE: Turn = { waiting() {}, end() {} };

export class Queue {
  /** In order of arrival: writes until they are over, reads until they start (nobody waits for a read). */
  #line: Place[] = [];

  /** Resolves when the turn has come. A signal that aborts before then gives the place up and rejects with its reason. */
  turn(kind: TurnKind, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (kind === 'free') return Promise.resolve(FREE);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#leave(place);
        reject(signal.reason);
      };
      const place: Place = {
        kind,
        state: 'queued',
        start: () => {
          signal.removeEventListener('abort', giveUp);
          place.state = 'running';
          resolve(this.#turnOf(place));
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#line.push(place);
      this.#advance();
    });
  }

  #turnOf(place: Place): Turn {
    if (place.kind === 'read') return FREE;
    return {
      waiting: () => {
        place.state = 'waiting';
        this.#advance();
      },
      end: () => this.#leave(place),
    };
  }

  #leave(place: Place): void {
    this.#line = this.#line.filter(other => other !== place);
    this.#advance();
  }

  /** Starts everybody whose turn has come. */
  #advance(): void {
    let writesBefore = 0;
    let allWait = true;
    for (const place of this.#line) {
      if (place.kind === 'write') {
        if (place.state === 'queued' && writesBefore === 0) place.start();
        writesBefore++;
        allWait &&= place.state === 'waiting';
      } else if (allWait) place.start();
    }
    this.#line = this.#line.filter(({ kind, state }) => kind === 'write' || state === 'queued');
  }
}
