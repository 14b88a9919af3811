// The service as a process of its own, with profiles whose browsers end with the test, and ways to call it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { API } from '../../../src/dialects/browsion/routes.ts';
import { endAll } from '../../session/profiles/browsers.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from '../process.ts';

export const BIN = resolve('dist/browsion.js');

/** S4-21: how the browsers of end-to-end tests are started. */
export const FLAGS = ['--disable-gpu', '--disable-dev-shm-usage'];

export type Args = Record<string, unknown>;

export interface Answer {
  status: number;
  /** The body as JSON; as text when it is none. */
  body: unknown;
  headers: Headers;
}

interface Wishes {
  flags?: string[];
  env?: Record<string, string>;
}

export class Service {
  readonly folder = temporaryFolder();
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor({ flags = ['--port', '0'], env = {} }: Wishes = {}) {
    mkdirSync(this.home, { recursive: true });
    this.#child = spawn(process.execPath, [BUNDLE, 'serve', '--dialect', 'browsion', ...flags], {
      env: { ...cleanEnv(this.state), HOME: this.home, XDG_CONFIG_HOME: '', ...env },
    });
    this.ended = once(this.#child, 'close').then(([code]) => code);
    this.#child.stdout!.on('data', chunk => {
      this.stdout += String(chunk);
    });
    this.#child.stderr!.on('data', chunk => {
      this.stderr += String(chunk);
    });
  }

  get home(): string {
    return join(this.folder.path, 'home');
  }

  get state(): string {
    return join(this.folder.path, 'state');
  }

  get url(): string {
    return /http:\/\/[\d.:]+(?=\/mcp)/.exec(this.stdout)?.[0] ?? '';
  }

  /** Resolves when it listens. */
  async ready(): Promise<this> {
    const gone = this.ended.then(code => Promise.reject(new Error(`ended with ${code}: ${this.stderr}`)));
    while (!this.stdout.includes('Stop:')) await Promise.race([once(this.#child.stdout!, 'data'), gone]);
    gone.catch(() => undefined);
    return this;
  }

  async http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text), headers: response.headers };
  }

  /** A profile of that id, with its browser running. */
  async launch(id: string, more: Args = {}): Promise<void> {
    const profile = { id, name: id, user_data_dir: `~/chrome/${id}`, headless: true, custom_args: FLAGS, ...more };
    await must(this.http('POST', '/api/profiles', profile), 201);
    await must(this.http('POST', `/api/launch/${id}`), 200);
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
    await endAll(this.state);
    this.folder.remove();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function must(asked: Promise<Answer>, status: number): Promise<void> {
  const { status: got, body } = await asked;
  if (got !== status) throw new Error(`status ${got}: ${JSON.stringify(body)}`);
}

/** What came of a tool, whichever way it was sent. */
export interface Told {
  ok: boolean;
  body: unknown;
  /** Bytes of its picture. */
  picture?: Buffer;
}

export type Send = (tool: string, args: Args) => Promise<Told>;

/** Of what a path may name. */
const DEFAULTS: Record<string, string> = { storage_type: 'local', profile_id: 'main' };

/** Plain HTTP, at one of the places where the tool is served. */
export function overHttp(service: Service, at = 0): Send {
  return async (tool, args) => {
    const { routes, ...row } = API[tool]!;
    const { method, path } = routes[at] ?? routes[0];
    const rest = { ...args };
    const filled = path.replace(/:(\w+)/g, (_, name: string) => {
      const value = String(rest[name] ?? DEFAULTS[name] ?? '');
      delete rest[name];
      return encodeURIComponent(value);
    });
    const query = method === 'GET' ? `?${new URLSearchParams(rest as Record<string, string>)}` : '';
    const isEmpty = method === 'GET' || Object.keys(rest).length === 0;
    const { status, body } = await service.http(method, filled + query, isEmpty ? undefined : rest);
    const ok = status === (row.status ?? 200);
    const picture = row.picture && Object(body)[row.picture];
    return {
      ok,
      body: status === 204 ? { ok: true } : body,
      ...(picture && { picture: Buffer.from(picture, 'base64') }),
    };
  };
}

export interface Bridge {
  client: Client;
  send: Send;
}

/** The command browsion-mcp, with the service's port. */
export async function overMcp(service: Service, env: Record<string, string> = {}): Promise<Bridge> {
  const client = new Client(CLIENT_INFO);
  const port = new URL(service.url).port;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN],
      env: { ...cleanEnv(service.state), HOME: service.home, XDG_CONFIG_HOME: '', BROWSION_API_PORT: port, ...env },
      stderr: 'ignore',
    }),
  );
  return { client, send: (name, args) => sendTool(client, name, args) };
}

async function sendTool(client: Client, name: string, args: Args): Promise<Told> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as {
    content: { type: string; text?: string; data?: string }[];
    isError?: boolean;
  };
  const image = content.find(({ type }) => type === 'image')?.data;
  const text = content.find(({ type }) => type === 'text')?.text ?? '';
  return {
    ok: isError !== true,
    body: parsed(text),
    ...(image !== undefined && { picture: Buffer.from(image, 'base64') }),
  };
}
