// A browser that says what a test wants, as the transport of a CdpConnection.
import type { CdpTransport } from '../../src/cdp/connection.ts';
import { type CdpMessage, type MessageReader, readZeroTerminated } from '../../src/cdp/message-reader.ts';

export class FakeTransport implements CdpTransport {
  readonly sent: CdpMessage[] = [];
  #reader: MessageReader | undefined;
  #over: (() => void) | undefined;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as CdpMessage);
  }

  close(): void {
    this.end();
  }

  read(reader: MessageReader): Promise<void> {
    this.#reader = reader;
    return new Promise(resolve => {
      this.#over = resolve;
    });
  }

  /** Settles when all of it has been delivered. */
  async say(...messages: (object | string)[]): Promise<void> {
    for (const one of messages) this.bytes(`${typeof one === 'string' ? one : JSON.stringify(one)}\0`);
    await new Promise(resolve => setImmediate(resolve));
  }

  bytes(text: string | Buffer): void {
    if (this.#reader) readZeroTerminated(this.#reader, Buffer.from(text));
  }

  end(): void {
    this.#over?.();
  }
}
