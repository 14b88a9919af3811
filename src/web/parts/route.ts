// Which view the address asks for. It stands behind the #, so that it never reaches a server log.
import { signal } from '@preact/signals';

type Route =
  | { view: 'overview' | 'waiting' | 'server' }
  | { view: 'session'; session: string; ask: string | undefined };

function read(): Route {
  const asked = new URLSearchParams(location.hash.slice(1));
  const session = asked.get('session');
  if (session !== null) return { view: 'session', session, ask: asked.get('ask') ?? undefined };
  const view = asked.get('view');
  return { view: view === 'waiting' || view === 'server' ? view : 'overview' };
}

export const route = signal<Route>(read());

export const sessionLink = (session: string): string => `#${new URLSearchParams({ session })}`;

/** `onCode`: an address with a code was opened in this window. */
export function startRoutes(onCode: () => void): void {
  addEventListener('hashchange', () => {
    route.value = read();
    if (/[#&]code=/.test(location.hash)) onCode();
  });
}

/** The one-time code of the address; it is taken out at once, also out of the history. */
export function takeCode(): string | undefined {
  const asked = new URLSearchParams(location.hash.slice(1));
  const code = asked.get('code');
  if (code === null) return undefined;
  asked.delete('code');
  history.replaceState(null, '', `${location.pathname}#${asked}`);
  route.value = read();
  return code;
}
