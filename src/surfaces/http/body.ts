// The body of a request: JSON, and never more of it than the limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import type { HttpRequest } from './http-request.ts';
import type { RequestLimiter } from './limiters.ts';
import { HttpRefusal, PARSE_ERROR } from './refuse.ts';

/** As long as it is read, it takes a place among those of its caller. */
export async function readBody(
  { req, res, caller }: HttpRequest,
  { reading, limits }: { reading: RequestLimiter; limits: { bodyBytes: number } },
): Promise<unknown> {
  const done = reading.enter(caller);
  try {
    return await readJson(req, res, limits.bodyBytes);
  } finally {
    done();
  }
}

async function readJson(req: IncomingMessage, res: ServerResponse, most: number): Promise<unknown> {
  if (!isJsonContentType(req.headers['content-type']))
    throw new HttpRefusal('type', 'The body must be JSON. Send it with Content-Type: application/json.');
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  // Only now may a sender that asked first go on.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const text = (await readBytes(req, most)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal('message', 'Parse error: the body is not valid JSON.', { code: PARSE_ERROR });
  }
}

/** Leaves the stream open when it stops early: the refusal goes out on the same connection. */
function readBytes(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
      } else {
        chunks = [];
        reject(tooLarge(most));
      }
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // Every request closes; one that did not come to its end was cut off.
    req.once('close', () => {
      if (!req.complete) reject(new HttpRefusal('message', 'The body ended early.'));
    });
    req.once('error', () => undefined);
  });
}

const tooLarge = (most: number): HttpRefusal =>
  new HttpRefusal('size', `The body is larger than ${most} bytes, the most accepted.`);
