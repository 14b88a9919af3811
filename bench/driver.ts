// One running server: calls by meaning instead of by tool, timed.
import { Client, type Content, textOf } from './client.ts';
import { makeScratch } from './scratch.ts';
import type { Call, Place, Server } from './servers.ts';

export interface Answer {
  ms: number;
  text: string;
  content: Content[];
}

export type Ground = Pick<Place, 'browser' | 'packages' | 'sandbox'>;

export class Driver {
  readonly #scratch = makeScratch();
  readonly client: Client;

  constructor(
    readonly server: Server,
    ground: Ground,
  ) {
    this.client = new Client(server.launch({ ...ground, folder: this.#scratch.path }), this.#scratch.path);
  }

  async call({ tool, args }: Call): Promise<Answer> {
    const started = performance.now();
    const result = await this.client.request('tools/call', { name: tool, arguments: args });
    const ms = performance.now() - started;
    return { ms, text: textOf(result), content: result.content ?? [] };
  }

  open(url: string): Promise<Answer> {
    return this.call(this.server.open(url));
  }

  /** The whole list of tools: how many, and how long as JSON. */
  async list(): Promise<{ tools: number; chars: number }> {
    const size = { tools: 0, chars: 0 };
    let cursor: string | undefined;
    do {
      const page = await this.client.request('tools/list', cursor === undefined ? {} : { cursor });
      size.tools += page.tools?.length ?? 0;
      size.chars += JSON.stringify(page).length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return size;
  }

  /** Fails unless the expression has that value in the page. */
  async expect(expression: string, value: string): Promise<void> {
    // Built in the page, so that an answer that repeats the code does not look like the value.
    const { text } = await this.call(this.server.evaluate(`'it is ' + (${expression})`));
    if (!text.includes(`it is ${value}`)) throw new Error(`${expression} is not ${value}: ${text}`);
  }

  /** The ref of an element in the text of a snapshot. */
  ref(snapshot: string, role: string, name: string): string {
    const line = snapshot.split('\n').find(each => each.includes(`${role} "${name}"`)) ?? '';
    const ref = this.server.ref.exec(line)?.[1];
    if (ref === undefined) throw new Error(`no ref of ${role} "${name}" in: ${snapshot.slice(0, 500)}`);
    return ref;
  }

  async end(): Promise<void> {
    try {
      if (this.server.close) await this.call(this.server.close);
    } finally {
      await this.client.end();
      this.#scratch.remove();
    }
  }
}
