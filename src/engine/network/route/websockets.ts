// What the rules do to a WebSocket: refuse it, or open it without a server.
import type { WebSocketRoute } from 'playwright-core';
import type { Plan } from './rules.ts';

/** How a socket ends whose server cannot be reached. */
const NO_SERVER = 1006;

export async function answerSocket(socket: WebSocketRoute, { last }: Plan): Promise<void> {
  if (!last) return void socket.connectToServer();
  last.hits++;
  if (!last.reply) return socket.close({ code: NO_SERVER });
  // It opens; what would be the body of an answer is its first message.
  if (last.reply.body !== '') socket.send(last.reply.body);
}
