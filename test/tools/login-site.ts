// A small site with a login that needs both a cookie which scripts cannot read and an item of localStorage.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoginSite {
  url: string;
  /** The value of the login cookie, which nobody may see. */
  secret: string;
  /** Cookie headers of the requests for /, the latest last. */
  seen: string[];
  close(): Promise<void>;
}

export const LOCAL_SECRET = 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYWRhIn0.c2lnbmF0dXJl';

const page = (title: string, body: string): string => `<!doctype html><title>${title}</title>${body}`;

const HOME = (who: string): string =>
  page(
    'Home',
    `<p id=who></p><script>
    who.textContent = ${JSON.stringify(who)} && localStorage.getItem('token') ? 'Hello ${who}' : 'Please log in';
    document.title = who.textContent;</script>`,
  );

const LOGIN = page(
  'Log in',
  `<form method=post action=/login onsubmit="localStorage.setItem('token', '${LOCAL_SECRET}'); sessionStorage.setItem('step', 'two')">
   <input name=user aria-label=User><button>Log in</button></form>`,
);

export async function startLoginSite(): Promise<LoginSite> {
  const secret = 'made-up-7f3a9c';
  const seen: string[] = [];
  const server: Server = createServer((req, res) => {
    const cookie = req.headers.cookie ?? '';
    const { pathname } = new URL(req.url ?? '/', 'http://site');
    if (pathname === '/login' && req.method === 'POST')
      return void res
        .writeHead(303, {
          location: '/',
          'set-cookie': [`login=${secret}; HttpOnly; Path=/; Max-Age=3600`, 'theme=dark; Path=/app'],
        })
        .end();
    res.setHeader('content-type', 'text/html');
    if (pathname === '/') seen.push(cookie);
    res.end(pathname === '/' ? HOME(cookie.includes(`login=${secret}`) ? 'ada' : '') : LOGIN);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    seen,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
