// A client of the API: one request, and what came of it.
import { type IncomingMessage, request } from 'node:http';
import { timeoutSignal } from '../client/timeout-signal.ts';

export interface Api {
  /** Such as http://127.0.0.1:38472. */
  origin: string;
  key?: string | undefined;
}

export interface Errand {
  method: string;
  /** With its query. */
  path: string;
  body?: unknown;
}

export interface Brought {
  status: number;
  text: string;
}

/** Longest answer, in characters. */
const MOST_CHARS = 256 * 1024 * 1024;

/** Rejects when nothing came back: nobody listens there, the time is over, or the signal has ended it. */
export async function send(api: Api, errand: Errand, ms: number, signal?: AbortSignal): Promise<Brought> {
  const late = timeoutSignal(ms);
  const bound = signal ? AbortSignal.any([signal, late]) : late;
  const response = await open(api, errand, bound);
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

function open({ origin, key }: Api, { method, path, body }: Errand, signal: AbortSignal): Promise<IncomingMessage> {
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = {
    accept: 'application/json',
    ...(key !== undefined && { 'x-api-key': key }),
    ...(sent && { 'content-type': 'application/json', 'content-length': sent.length }),
  };
  return new Promise((resolve, reject) => {
    request(`${origin}${path}`, { method, headers, signal, agent: false }, resolve).on('error', reject).end(sent);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > MOST_CHARS) throw new Error('its answer is too long');
  }
  return text;
}
