// The WebSockets of a captured session: how they opened, and their messages.
import type { Protocol } from 'devtools-protocol';
import type { ChildSession } from '../child-session.ts';
import type { CaptureEntry, SocketMessage } from './entry.ts';

const MOST_MESSAGES = 1_000;
const BINARY = 2;

interface SocketSink {
  begin(url: string): CaptureEntry | undefined;
  /** Whether there is room for the message. */
  message(data: string | Buffer): boolean;
}

export function captureSockets(session: Pick<ChildSession, 'on'>, { begin, message }: SocketSink): void {
  const sockets = new Map<string, CaptureEntry & { messages: SocketMessage[] }>();
  const add = (id: string, type: SocketMessage['type'], { opcode, payloadData }: Protocol.Network.WebSocketFrame) => {
    const messages = sockets.get(id)?.messages;
    if (!messages || payloadData === '') return;
    const data = opcode === BINARY ? Buffer.from(payloadData, 'base64') : payloadData;
    if (message(data) && messages.length < MOST_MESSAGES) messages.push({ type, time: Date.now(), data });
  };
  session.on('Network.webSocketCreated', ({ requestId, url }) => {
    const entry = begin(url);
    if (entry) sockets.set(requestId, Object.assign(entry, { messages: [] }));
  });
  session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response: { status, statusText } }) =>
    update(requestId, { status, statusText }),
  );
  session.on('Network.webSocketFrameSent', ({ requestId, response }) => add(requestId, 'send', response));
  session.on('Network.webSocketFrameReceived', ({ requestId, response }) => add(requestId, 'receive', response));
  session.on('Network.webSocketFrameError', ({ requestId, errorMessage: error }) =>
    update(requestId, { error, status: 0, statusText: '' }),
  );
  session.on('Network.webSocketClosed', ({ requestId }) => {
    const entry = sockets.get(requestId);
    if (entry) Object.assign(entry, { done: true, ms: Date.now() - entry.started });
    sockets.delete(requestId);
  });
  const update = (id: string, more: Partial<CaptureEntry>) => void Object.assign(sockets.get(id) ?? {}, more);
}
