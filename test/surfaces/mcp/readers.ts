// Readers: real clients of both generations of the SDK, over stdio and HTTP, that read resources and hear of changes.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Agent, agent } from '../agents.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv } from '../process.ts';

interface Content {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

export interface Reader extends Agent {
  uris(): Promise<string[]>;
  templates(): Promise<string[]>;
  read(uri: string): Promise<Content>;
  /** From now on changes of these are heard. */
  watch(...uris: string[]): Promise<void>;
  unwatch(): Promise<void>;
  /** The uris that were said to have changed, and `list`, in the order in which they came. */
  heard: string[];
}

/** The built command with these flags, over stdio, or at the address of one that serves. */
export type Reach = { stateDir: string; flags?: string[] } | { url: string; token?: string };

/** The part of a client that both generations have. */
type EitherClient = Parameters<typeof agent>[0] & {
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
};

function reader(client: EitherClient, heard: string[], watching: Pick<Reader, 'watch' | 'unwatch'>): Reader {
  return {
    ...agent(client),
    ...watching,
    heard,
    uris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async uri => (await client.readResource({ uri })).contents[0] as Content,
  };
}

/** By a request for each, as in the revisions before 2026-07-28. */
function byRequests(client: {
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
}): Pick<Reader, 'watch' | 'unwatch'> {
  const watched: string[] = [];
  return {
    async watch(...uris) {
      for (const uri of uris) await client.subscribeResource({ uri });
      watched.push(...uris);
    },
    async unwatch() {
      for (const uri of watched.splice(0)) await client.unsubscribeResource({ uri });
    },
  };
}

const stdio = (stateDir: string, flags: string[] = []) => ({
  command: process.execPath,
  args: [BUNDLE, ...flags],
  env: cleanEnv(stateDir),
  stderr: 'ignore' as const,
});

const withToken = (token: string | undefined) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };

async function first(reach: Reach): Promise<Reader> {
  const client = new FirstClient(CLIENT_INFO);
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('list'));
  const transport =
    'url' in reach
      ? new FirstHttp(new URL(reach.url), withToken(reach.token))
      : new FirstStdio(stdio(reach.stateDir, reach.flags));
  // Its types do not know exact optional properties.
  await client.connect(transport as never);
  return reader(client, heard, byRequests(client));
}

async function second(reach: Reach, isModern: boolean): Promise<Reader> {
  const client = new Client(CLIENT_INFO, isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {});
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
  const transport =
    'url' in reach
      ? new StreamableHTTPClientTransport(new URL(reach.url), withToken(reach.token))
      : new StdioClientTransport(stdio(reach.stateDir, reach.flags));
  await client.connect(transport);
  return reader(client, heard, isModern ? byStream(client) : byRequests(client));
}

/** By one stream for all, as from 2026-07-28 on. */
function byStream(client: Client): Pick<Reader, 'watch' | 'unwatch'> {
  const streams: { close(): Promise<void> }[] = [];
  return {
    async watch(...uris) {
      streams.push(await client.listen({ resourceSubscriptions: uris, resourcesListChanged: true }));
    },
    async unwatch() {
      for (const stream of streams.splice(0)) await stream.close();
    },
  };
}

export const READERS: Record<string, (reach: Reach) => Promise<Reader>> = {
  'first generation': first,
  'second generation, older revisions': reach => second(reach, false),
  'second generation, newest revision': reach => second(reach, true),
};
