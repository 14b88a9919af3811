// Requests beside the WebSocket: the login, older calls, files, and what the administrator sees.
import type { ErrorBody, NewToken, ViewApi } from '../../surfaces/view/protocol.ts';

const api = (path: string): URL => new URL(`api/${path}`, location.origin + location.pathname);

/** The message of the server, or what a person can do when there was none. */
async function checked(answer: Promise<Response>): Promise<Response> {
  const response = await answer.catch(() => {
    throw new Error('The server cannot be reached now.');
  });
  if (response.ok) return response;
  const body: Partial<ErrorBody> = await response.json().catch(() => ({})); // no JSON from a proxy in between
  throw new Error(body.error?.message ?? `The server answered ${response.status}.`);
}

const sent = async <T>(method: string, path: string, body?: BodyInit): Promise<T> => {
  const response = await checked(fetch(api(path), { method, ...(body !== undefined && { body }) }));
  return response.status === 204 ? (undefined as T) : response.json();
};

/** Exchanges the one-time code for a cookie. */
export async function login(code: string): Promise<void> {
  await checked(fetch('login', { method: 'POST', headers: { 'x-view-code': code } }));
}

export async function logout(): Promise<void> {
  await checked(fetch('login', { method: 'DELETE' }));
}

/** Only a refusal for want of a login says no: a server that is away may come back. */
export const isLoggedIn = (): Promise<boolean> =>
  fetch('login').then(
    ({ status }) => status !== 401,
    () => true,
  );

export const olderCalls = (session: string, before: number): Promise<ViewApi['GET sessions/ID/calls']> =>
  sent('GET', `sessions/${encodeURIComponent(session)}/calls?before=${before}`);

export const exportsOf = (session: string): Promise<ViewApi['GET sessions/ID/exports']> =>
  sent('GET', `sessions/${encodeURIComponent(session)}/exports`);

export const pictureUrl = (id: string): string => api(`pictures/${encodeURIComponent(id)}`).href;

export const upload = (file: File): Promise<ViewApi['POST files']> =>
  sent('POST', `files?${new URLSearchParams({ name: file.name })}`, file);

export const serverFacts = (): Promise<ViewApi['GET server']> => sent('GET', 'server');

export const doctor = (): Promise<ViewApi['GET doctor']> => sent('GET', 'doctor');

export const addToken = (token: NewToken): Promise<ViewApi['POST tokens']['answer']> =>
  sent('POST', 'tokens', new Blob([JSON.stringify(token)], { type: 'application/json' }));

export const rotateToken = (id: string): Promise<ViewApi['POST tokens/ID/rotate']> =>
  sent('POST', `tokens/${encodeURIComponent(id)}/rotate`);

export const removeToken = (id: string): Promise<undefined> => sent('DELETE', `tokens/${encodeURIComponent(id)}`);
