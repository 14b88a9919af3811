// Runs inside the page, in its own script world: WebSockets ask before they connect. Chrome's Fetch domain does not pause them.
// Self-contained: the function is sent as text.

export type SocketDecision = { do: 'connect' } | { do: 'abort' } | { do: 'open'; message: string };

/** What the other side calls, under a symbol of the window. */
export interface SocketRoutes {
  decide(id: number, decision: SocketDecision): void;
  /** From now on sockets connect without asking. */
  end(): void;
}

/** @param ms how long an answer may take: nobody may be there any more */
export function routeSockets(binding: string, key: string, ms: number): void {
  const scope = globalThis as unknown as Record<PropertyKey, unknown>;
  const symbol = Symbol.for(key);
  (scope[symbol] as SocketRoutes | undefined)?.end();
  const Native = WebSocket;
  const { setTimeout, clearTimeout } = globalThis;
  const ask = scope[binding] as ((text: string) => void) | undefined;
  const waiting = new Map<number, (decision: SocketDecision) => void>();
  let last = 0;
  let isOn = ask !== undefined;

  function decision(url: string, decide: (decision: SocketDecision) => void): void {
    if (!isOn) return void decide({ do: 'connect' });
    const id = ++last;
    const settle = (made: SocketDecision) => {
      clearTimeout(timer);
      if (waiting.delete(id)) decide(made);
    };
    const timer = setTimeout(() => settle({ do: 'connect' }), ms);
    waiting.set(id, settle);
    ask?.(JSON.stringify({ id, url }));
  }

  function addressOf(given: string | URL): string {
    const base = document.baseURI;
    const url = URL.canParse(String(given), base) ? new URL(given, base) : undefined;
    if (!url || !/^(?:ws|http)s?:$/.test(url.protocol) || url.hash !== '')
      throw new DOMException(`Failed to construct 'WebSocket': The URL '${given}' is invalid.`, 'SyntaxError');
    return url.href.replace(/^http/, 'ws');
  }

  class RoutedSocket extends EventTarget {
    onopen: unknown = null;
    onmessage: unknown = null;
    onerror: unknown = null;
    onclose: unknown = null;
    #real: WebSocket | undefined;
    #isMade = false;
    #state: number = Native.CONNECTING;
    #binaryType: BinaryType = 'blob';
    readonly #url: string;

    constructor(url: string | URL, protocols?: string | string[]) {
      super();
      this.#url = addressOf(url);
      decision(this.#url, made => this.#begin(made, protocols));
      this.#isMade = true;
    }

    get url(): string {
      return this.#real?.url ?? this.#url;
    }

    get readyState(): number {
      return this.#real?.readyState ?? this.#state;
    }

    get bufferedAmount(): number {
      return this.#real?.bufferedAmount ?? 0;
    }

    get extensions(): string {
      return this.#real?.extensions ?? '';
    }

    get protocol(): string {
      return this.#real?.protocol ?? '';
    }

    get binaryType(): BinaryType {
      return this.#real?.binaryType ?? this.#binaryType;
    }

    set binaryType(type: BinaryType) {
      this.#binaryType = type;
      if (this.#real) this.#real.binaryType = type;
    }

    send(data: string | ArrayBufferLike | Blob | ArrayBufferView<ArrayBuffer>): void {
      if (this.#real) this.#real.send(data as string);
      else if (this.#state === Native.CONNECTING)
        throw new DOMException(
          "Failed to execute 'send' on 'WebSocket': Still in CONNECTING state.",
          'InvalidStateError',
        );
    }

    close(code?: number, reason?: string): void {
      if (this.#real) return void this.#real.close(code, reason);
      if (this.#state >= Native.CLOSING) return;
      const wasOpen = this.#state === Native.OPEN;
      this.#state = Native.CLOSING;
      setTimeout(() =>
        wasOpen ? this.#end({ code: code ?? 1005, reason: reason ?? '', wasClean: true }) : this.#fail(),
      );
    }

    #begin(made: SocketDecision, protocols: string | string[] | undefined): void {
      if (this.#state !== Native.CONNECTING) return;
      if (made.do === 'connect') return void this.#connect(protocols);
      if (made.do === 'abort') return void this.#fail();
      this.#state = Native.OPEN;
      this.#tell(new Event('open'));
      if (made.message !== '')
        this.#tell(new MessageEvent('message', { data: made.message, origin: new URL(this.#url).origin }));
    }

    #connect(protocols: string | string[] | undefined): void {
      try {
        const real = new Native(this.#url, protocols);
        this.#real = real;
        real.binaryType = this.#binaryType;
        real.onopen = () => this.#tell(new Event('open'));
        real.onerror = () => this.#tell(new Event('error'));
        real.onmessage = ({ data, origin }) => this.#tell(new MessageEvent('message', { data, origin }));
        real.onclose = ({ code, reason, wasClean }) => this.#tell(new CloseEvent('close', { code, reason, wasClean }));
      } catch (error) {
        if (!this.#isMade) throw error; // as the native constructor does
        this.#fail();
      }
    }

    /** As when the server cannot be reached. */
    #fail(): void {
      this.#state = Native.CLOSED;
      this.#tell(new Event('error'));
      this.#end({ code: 1006, reason: '', wasClean: false });
    }

    #end(how: CloseEventInit): void {
      this.#state = Native.CLOSED;
      this.#tell(new CloseEvent('close', how));
    }

    #tell(event: Event): void {
      const handler = (this as unknown as Record<string, unknown>)[`on${event.type}`];
      if (typeof handler === 'function') this.addEventListener(event.type, handler as EventListener, { once: true });
      this.dispatchEvent(event);
      if (typeof handler === 'function') this.removeEventListener(event.type, handler as EventListener);
    }
  }

  const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
  Object.assign(RoutedSocket, states);
  Object.assign(RoutedSocket.prototype, states);
  Object.defineProperty(RoutedSocket, 'name', { value: 'WebSocket' });
  // Sockets from before are WebSockets too.
  const isInstance = (value: unknown) =>
    Function.prototype[Symbol.hasInstance].call(RoutedSocket, value) || value instanceof Native;
  Object.defineProperty(RoutedSocket, Symbol.hasInstance, { value: isInstance });
  scope.WebSocket = RoutedSocket;
  const routes: SocketRoutes = {
    decide: (id, made) => waiting.get(id)?.(made),
    end() {
      isOn = false;
      if (scope.WebSocket === RoutedSocket) scope.WebSocket = Native;
      for (const settle of [...waiting.values()]) settle({ do: 'connect' });
    },
  };
  Object.defineProperty(scope, symbol, { value: routes, configurable: true });
}
