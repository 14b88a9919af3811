// The browsers of --browsers: a session goes to the one with the fewest sessions that can be reached, and back to its own after a cut.
import { Failure } from '../../../errors.ts';
import { type Limits, under } from '../../limits.ts';
import type { BrowserContext } from '../../page/browser-context.ts';
import type { ConnectedBrowser } from '../../page/connected-browser.ts';
import { type PlaceDeps, RemotePlace } from './place.ts';
import { type ProviderSettings, providerOf, readAddress } from './provider.ts';

/** A browser that could not be reached is tried last for so long. */
const FAILED_MS = 30_000;

export class RemoteBrowsers {
  readonly #places: readonly RemotePlace[];
  readonly #placeOf = new WeakMap<ConnectedBrowser, RemotePlace>();

  constructor(addresses: readonly string[], settings: ProviderSettings, deps: Omit<PlaceDeps, 'provider' | 'mask'>) {
    const mask = masking([...addresses.flatMap(secretsIn), ...Object.values(settings.headers)]);
    this.#places = addresses.map(address => {
      const opened = (browser: ConnectedBrowser) => {
        this.#placeOf.set(browser, place);
        deps.opened(browser);
      };
      const place: RemotePlace = new RemotePlace(address, {
        ...deps,
        mask,
        opened,
        provider: given => providerOf(given, settings),
      });
      return place;
    });
  }

  /** Makes something in one of the browsers. */
  async use<T>(limits: Limits, make: (browser: ConnectedBrowser) => Promise<T>): Promise<T> {
    const places = this.#byLoad();
    const failures: unknown[] = [];
    for (const place of places) {
      place.claims++;
      try {
        const isLast = failures.length === places.length - 1;
        const browser = await place.browser(limits, isLast ? 'wait' : 'fail');
        return await under(limits.signal, make(browser));
      } catch (error) {
        limits.signal.throwIfAborted();
        failures.push(error);
      } finally {
        place.claims--;
      }
    }
    throw failures.length === 1 ? failures[0] : noneReachable(failures);
  }

  /** The same context over another connection to its browser; undefined when one of them has gone for good. */
  async again(lost: BrowserContext, limits: Limits): Promise<BrowserContext | undefined> {
    const place = this.#placeOf.get(lost.browser());
    if (!place || !(await place.again(limits))) return undefined;
    const browser = await place.browser(limits);
    return browser.contexts().find(({ id }) => id === lost.id);
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map(place => place.close()));
  }

  #byLoad(): RemotePlace[] {
    const rank = (place: RemotePlace) => (place.failedWithin(FAILED_MS) ? 1 : 0);
    return this.#places.toSorted((a, b) => rank(a) - rank(b) || a.load - b.load);
  }
}

function noneReachable(failures: readonly unknown[]): Failure {
  const messages = failures.map(error => (error instanceof Error ? error.message : String(error)));
  return new Failure(
    'browser_missing',
    `None of the ${failures.length} browsers could be used. ${[...new Set(messages)].slice(0, 5).join(' ')}`,
    'Check --browsers, and that the services run and can be reached.',
  );
}

/** What in an address may log somebody in: the password, and what the query and the path say. */
function secretsIn(address: string): string[] {
  const { url } = readAddress(address);
  if (!URL.canParse(url)) return [url];
  const { username, password, pathname, searchParams } = new URL(url);
  return [username, password, ...pathname.split('/'), ...searchParams.values()].flatMap(part => [
    part,
    decodeURIComponent(part),
  ]);
}

/** Short words are no secrets, and stand in many texts. */
const LEAST = 6;

function masking(secrets: readonly string[]): (text: string) => string {
  const long = [...new Set(secrets)].filter(secret => secret.length >= LEAST);
  return text => long.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}
