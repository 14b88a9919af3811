// A trace of the traffic with browsers: one JSON line per message, with times and sizes, without contents.
import { createWriteStream, type WriteStream } from 'node:fs';
import { performance } from 'node:perf_hooks';

interface Sent {
  method: string;
  at: number;
}

/** Bytes; what comes after is left out. */
const MOST = 100_000_000;

/** One file for all browsers of a process. */
export class CdpTrace {
  readonly #stream: WriteStream;
  readonly #began = performance.now();
  #written = 0;
  #connections = 0;

  constructor(file: string, failed: (error: Error) => void) {
    this.#stream = createWriteStream(file, { mode: 0o600 });
    this.#stream.on('error', failed);
  }

  connection(): ConnectionTrace {
    return new ConnectionTrace(++this.#connections, line => this.#write(line));
  }

  #write(line: object): void {
    const ms = Math.round((performance.now() - this.#began) * 100) / 100;
    const text = `${JSON.stringify({ ms, ...line })}\n`;
    this.#written += text.length;
    if (this.#written <= MOST) this.#stream.write(text);
  }
}

/** The messages of one connection. An answer has the time since its command. */
export class ConnectionTrace {
  readonly #browser: number;
  readonly #write: (line: object) => void;
  readonly #sent = new Map<number, Sent>();

  constructor(browser: number, write: (line: object) => void) {
    this.#browser = browser;
    this.#write = write;
  }

  sent(id: number, method: string, session: string | undefined, bytes: number): void {
    this.#sent.set(id, { method, at: performance.now() });
    this.#write({ browser: this.#browser, session, sent: method, id, bytes });
  }

  answered(id: number, session: string | undefined, bytes: number, isRefused: boolean): void {
    const { method, at = performance.now() } = this.#sent.get(id) ?? {};
    this.#sent.delete(id);
    const took = Math.round((performance.now() - at) * 100) / 100;
    this.#write({
      browser: this.#browser,
      session,
      answered: method,
      id,
      took,
      bytes,
      ...(isRefused && { refused: true }),
    });
  }

  event(method: string, session: string | undefined, bytes: number): void {
    this.#write({ browser: this.#browser, session, event: method, bytes });
  }
}
