// Headers as they were on the wire: Chrome tells them with events of their own, before or after the answer that they belong to.
import type { Protocol } from 'devtools-protocol';
import type { Hop } from './entry.ts';

type Got = Protocol.Network.ResponseReceivedExtraInfoEvent;

/** Of one request: the n-th of each belong together. */
interface Parts {
  /** Steps of a redirect whose answer comes with such events. */
  hops: { hop: Hop | undefined; join(): void }[];
  sent: Protocol.Network.Headers[];
  got: Got[];
  isEnded: boolean;
}

export class ExtraInfo {
  readonly #parts = new Map<string, Parts>();

  /** @param most of so many requests at once; of more, headers are those that scripts see */
  constructor(readonly most: number) {}

  sent(id: string, headers: Protocol.Network.Headers): void {
    this.#add(id, ({ sent }) => sent.push(headers));
  }

  got(id: string, event: Got): void {
    this.#add(id, ({ got }) => got.push(event));
  }

  /** The step has its answer. What came from memory or a service worker has no such events. */
  answered(id: string, hop: Hop | undefined, hasExtraInfo: boolean): void {
    if (!hasExtraInfo || hop?.inMemory) return;
    this.#add(id, ({ hops }) => {
      let join = () => {};
      const whole = new Promise<void>(resolve => {
        join = resolve;
      });
      if (hop) hop.whole = whole;
      hops.push({ hop, join });
    });
  }

  /** There are no more steps. */
  ended(id: string): void {
    const parts = this.#parts.get(id);
    if (!parts) return;
    parts.isEnded = true;
    this.#clean(id, parts);
  }

  #add(id: string, add: (parts: Parts) => void): void {
    const parts = this.#parts.get(id) ?? { hops: [], sent: [], got: [], isEnded: false };
    if (!this.#parts.has(id) && this.#parts.size >= this.most) return;
    this.#parts.set(id, parts);
    add(parts);
    parts.hops.forEach(({ hop, join }, at) => {
      const [sent, got] = [parts.sent[at], parts.got[at]];
      if (hop && sent) hop.sent = sent;
      if (hop && got) hop.got = got;
      if (sent && got) join();
    });
    this.#clean(id, parts);
  }

  #clean(id: string, { hops, sent, got, isEnded }: Parts): void {
    if (isEnded && Math.min(sent.length, got.length) >= hops.length) this.#parts.delete(id);
  }
}
