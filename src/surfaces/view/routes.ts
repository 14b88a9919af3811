// The page at /view: its files, and how a person logs in to it.
import type { TokenStore } from '../http/auth/token-store.ts';
import type { HttpRequest, Route, RouteGroup } from '../http/routes.ts';
import type { Runtime } from '../runtime.ts';
import type { Live } from './live/live.ts';
import { CODE_MS, Logins } from './logins.ts';
import type { ErrorBody } from './protocol.ts';
import { sendFile } from './static-files.ts';

export const view = (tokens: TokenStore, runtime: Runtime, version: string): RouteGroup => {
  const logins = new Logins(tokens);
  let live: Promise<Live> | undefined;
  const loaded = () => {
    live ??= import('./live/live.ts').then(({ Live }) => new Live(runtime, version));
    return live;
  };
  return {
    under: ['/view'],
    routes: async () => [...routesOf(logins), ...(await import('./api.ts')).apiOf(logins, await loaded(), runtime)],
    sockets: [
      {
        path: '/view/live',
        admits: headers => logins.admit(headers),
        open: async (socket, grant, answer) => (await loaded()).open(socket, grant, answer),
      },
    ],
    refusal: ({ rule, message }): ErrorBody => ({ error: { rule, message } }),
    help: 'The page is at /view/.',
  };
};

/** The files of the page are open: they hold nothing of this server. */
function routesOf(logins: Logins): Route[] {
  return [
    {
      kind: 'status',
      method: 'POST',
      path: '/view/code',
      serve: ({ grant, json }) => json(200, { code: logins.newCode(grant), ms: CODE_MS }),
    },
    {
      kind: 'status',
      method: 'POST',
      path: '/view/login',
      admits: headers => logins.redeem(headers),
      serve: ({ grant, req, send }) => send(204, '', { 'set-cookie': logins.login(grant, req.headers.host ?? '') }),
    },
    {
      kind: 'status',
      method: 'GET',
      path: '/view/login',
      admits: headers => logins.admit(headers),
      serve: ({ send }) => send(204, '', {}),
    },
    {
      kind: 'status',
      method: 'DELETE',
      path: '/view/login',
      admits: headers => logins.admit(headers),
      serve: ({ req, send }) => send(204, '', { 'set-cookie': logins.logout(req.headers) }),
    },
    { kind: 'status', method: 'GET', path: '/view', open: true, serve: toPage },
    { kind: 'status', method: 'GET', path: '/view/', open: true, serve: request => sendFile(request, 'index.html') },
    {
      kind: 'status',
      method: 'GET',
      path: '/view/:file',
      open: true,
      serve: request => sendFile(request, request.params.file ?? ''),
    },
  ];
}

const toPage = ({ send }: HttpRequest): void => send(308, '', { location: '/view/' });
