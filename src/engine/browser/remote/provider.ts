// What a service must do that runs browsers for us: open one, find it again after its line was cut, keep it, give it back.
import { Failure } from '../../../errors.ts';
import type { SocketAddress } from '../attach/socket.ts';

export interface Provider {
  /** A browser of its own; rejects with NoneFree while there is none free. */
  open(signal: AbortSignal): Promise<RemoteBrowser>;
}

/** One browser that a service runs for us. */
export interface RemoteBrowser {
  readonly address: SocketAddress;
  /** Where the same browser is reached again; absent where it ends with its connection. */
  reopen?(signal: AbortSignal): Promise<SocketAddress>;
  /** Keeps it from being ended as idle. */
  renew?: { everyMs: number; run(signal: AbortSignal): Promise<void> };
  /** Gives it back; absent where it goes on without us. */
  close?(signal: AbortSignal): Promise<void>;
}

/** What the options say about remote browsers in general. */
export interface ProviderSettings {
  /** Sent with each request to a service or browser. */
  headers: Record<string, string>;
  capabilities: Record<string, unknown>;
}

type MakeProvider = (url: string, settings: ProviderSettings) => Provider;

/** By the word before the `+` of an address. Each is loaded when an address asks for it. */
const PROVIDERS: Readonly<Record<string, () => Promise<MakeProvider>>> = {
  cdp: async () => (await import('./plain.ts')).plain,
};

/** The service of an address such as `cdp+http://…`, and the address without that word. */
export function readAddress(given: string): { service: string; url: string } {
  const [, service = 'cdp', url = given] = /^(\w+)\+(.*)$/s.exec(given) ?? [];
  return { service, url };
}

export async function providerOf(given: string, settings: ProviderSettings): Promise<Provider> {
  const { service, url } = readAddress(given);
  const make = await PROVIDERS[service]?.();
  if (make) return make(url, settings);
  throw new Failure('bad_input', `--browsers knows no service "${service}".`, 'Give an address of http:// or ws://.');
}

/** All browsers of the service are in use. */
export class NoneFree extends Error {
  constructor(
    why: string,
    /** When to ask again. */
    readonly afterMs = 1_000,
  ) {
    super(why);
  }
}

/** The address without what may be secret in it. */
export function shownAddress(given: string): string {
  const { service, url } = readAddress(given);
  return URL.canParse(url) ? new URL(url).host || service : service;
}
