// What a tunnel begins with: TLS, or the request line of a WebSocket.
import type { Socket } from 'node:net';

const MOST_BYTES = 32_768;
const WAIT_MS = 15_000;

export interface FirstBytes {
  isTls: boolean;
  /** The path that a WebSocket asks for; undefined when it is none. */
  socketPath?: string;
}

/** Waits for the first bytes and puts them back; undefined when the client says nothing that can be understood. */
export function readFirstBytes(client: Socket): Promise<FirstBytes | undefined> {
  return new Promise(resolve => {
    let seen: Buffer = Buffer.alloc(0);
    const end = (found: FirstBytes | undefined) => {
      clearTimeout(timer);
      client.off('data', read).off('close', gone).off('end', gone);
      client.pause();
      if (found && seen.length > 0) client.unshift(seen);
      resolve(found);
    };
    const gone = () => end(undefined);
    const read = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      if (seen[0] === TLS_HANDSHAKE) return end({ isTls: true });
      const text = seen.toString('latin1');
      if (!/^[A-Z]{1,10}( |$)/.test(text.slice(0, 11))) return end({ isTls: false });
      if (text.includes('\r\n\r\n')) return end({ isTls: false, ...asSocket(text) });
      return seen.length > MOST_BYTES ? gone() : undefined;
    };
    const timer = setTimeout(gone, WAIT_MS);
    client.on('data', read).once('close', gone).once('end', gone);
    client.resume();
  });
}

const TLS_HANDSHAKE = 0x16;

function asSocket(head: string): { socketPath?: string } {
  const [, path] = /^GET (\/\S*) HTTP\/1\.1\r\n/.exec(head) ?? [];
  return path !== undefined && /\r\nupgrade: *websocket *\r\n/i.test(head) ? { socketPath: path } : {};
}
