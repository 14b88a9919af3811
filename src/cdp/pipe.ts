// PipeTransport: the two pipes of a Chrome that was started with --remote-debugging-pipe. A zero byte ends each message.
import type { Readable, Writable } from 'node:stream';
import type { CdpTransport } from './connection.ts';
import { type MessageReader, readZeroTerminated } from './message-reader.ts';

export class PipeTransport implements CdpTransport {
  readonly #input: Writable;
  readonly #output: Readable;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    this.#output = output;
    // A pipe that breaks is the end of Chrome, which the close event reports.
    input.on('error', () => undefined);
    output.on('error', () => undefined);
  }

  /** What is sent in one turn goes out in one write: each costs more than what it carries. */
  send(text: string): void {
    this.#input.cork();
    this.#input.write(`${text}\0`);
    process.nextTick(() => this.#input.uncork());
  }

  close(): void {
    this.#input.end();
  }

  read(reader: MessageReader): Promise<void> {
    this.#output.on('data', (chunk: Buffer) => readZeroTerminated(reader, chunk));
    return new Promise(resolve => this.#output.once('close', () => resolve()));
  }
}
