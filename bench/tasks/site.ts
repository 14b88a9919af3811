// Serves the pages of the tasks on loopback, answers their requests, and keeps what they have posted: the outcome of each task.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TaskSite {
  url: string;
  /** What was posted to /api/… since the last time this was asked, by path. */
  take(): Record<string, unknown[]>;
  close(): Promise<void>;
}

const read = (name: string): string => readFileSync(new URL(`pages/${name}.html`, import.meta.url), 'utf8');
const LAYOUT = read('layout');

function page(name: string): string | undefined {
  if (!/^[a-z]+$/.test(name) || name === 'layout') return undefined;
  const body = read(name);
  const title = /<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? name;
  return LAYOUT.replace('{{title}}', () => title).replace('{{body}}', () => body);
}

const CITIES = ['London, United Kingdom', 'London, Canada', 'Londonderry, United Kingdom', 'East London, South Africa'];
const REPLY_MS = 1_200;

class Answers {
  posted: Record<string, unknown[]> = {};
  messages: { who: string; text: string }[] = [];
  signedIn = false;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, first = '', second = ''] = url.pathname.split('/');
    if (first === 'api' && request.method === 'POST')
      return this.#take(second, JSON.parse(await text(request)), response);
    if (first === 'api') return void response.end(JSON.stringify(this.#read(second, url.searchParams.get('q') ?? '')));
    if (first === 'login' && request.method === 'POST') return this.#signIn(await text(request), response);
    if (first === 'account' && !this.signedIn) return go(response, '/login?next=/account');
    const html = page(first);
    response.writeHead(html === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(html);
  }

  #read(what: string, words: string): unknown {
    if (what === 'messages') return this.messages;
    return words.length < 2 ? [] : CITIES.filter(name => name.toLowerCase().includes(words.toLowerCase()));
  }

  #take(what: string, data: Record<string, unknown>, response: ServerResponse): void {
    if (what === 'signup' && String(data.password).length < 12)
      return void response.writeHead(422).end('Use at least 12 characters');
    this.posted[what] = [...(this.posted[what] ?? []), data];
    if (what === 'chat') this.#chat(String(data.text));
    response.end('{}');
  }

  #chat(said: string): void {
    this.messages.push({ who: 'You', text: said });
    const reply = said.includes('?') ? 'Yes, table 7 is free' : 'See you then';
    setTimeout(() => this.messages.push({ who: 'Lucia', text: reply }), REPLY_MS).unref();
  }

  #signIn(body: string, response: ServerResponse): void {
    const form = new URLSearchParams(body);
    this.signedIn = form.get('user') === 'ada' && form.get('password') === 'engine-1843';
    go(response, this.signedIn ? '/account' : '/login');
  }
}

const go = (response: ServerResponse, to: string): void => void response.writeHead(303, { location: to }).end();

export async function startTaskSite(): Promise<TaskSite> {
  let answers = new Answers();
  const server = createServer((request, response) => {
    answers.answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const { posted } = answers;
      answers = new Answers();
      return posted;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
