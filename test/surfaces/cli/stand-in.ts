// A stand-in for a running server: found like one, it answers as a test wants.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, healthProof, newKey, type RunningServer } from '../../../src/surfaces/client/running-servers.ts';

export interface StandIn {
  running: RunningServer;
  /** The bodies of the requests. */
  bodies: Record<string, unknown>[];
  headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Answers one call. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export async function standIn(stateDir: string, answer: Answer, more: { tokenFile?: string } = {}): Promise<StandIn> {
  const key = newKey();
  const bodies: StandIn['bodies'] = [];
  const headers: StandIn['headers'] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
    const proof = healthProof(key, searchParams.get('nonce') ?? '');
    if (pathname === '/health') return void response.end(JSON.stringify({ name: 'tabwright', proof }));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    headers.push(request.headers);
    answer(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const running = { url: `http://127.0.0.1:${port}/mcp`, pid: process.pid, key, ...more };
  const withdraw = announce(stateDir, running);
  return {
    running,
    bodies,
    headers,
    async close() {
      withdraw();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A good answer with that text. */
export const resultOf = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text }], structuredContent: { success: true, data: { text } } },
  });

export const json =
  (body: string, status = 200): Answer =>
  response =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

/** A stream of events, in the given pieces of text. */
export const events =
  (...pieces: string[]): Answer =>
  async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) await new Promise(resolve => response.write(piece, resolve));
    response.end();
  };
