// A small HTTP client on node:http: the command line pays for its load with every call.
import { type IncomingMessage, type RequestOptions, request } from 'node:http';

/** Most characters of one response, and of one event in it. */
const MAX_CHARS = 256 * 1024 * 1024;

/** Rejects when no response came: nothing listens there, or the signal aborted. */
export function sendRequest(url: string | URL, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  // Node sends the body of a DELETE without its length, and the server would take it for the next request.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request(url, { agent: false, ...options, headers: { ...options.headers, ...length } }, resolve)
      .on('error', reject)
      .end(body);
  });
}

export async function readText(response: IncomingMessage, maxChars = MAX_CHARS): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > maxChars) throw tooLong();
  }
  return text;
}

/** The data of each server-sent event. Comments and other fields are skipped. */
export async function* readEvents(chunks: AsyncIterable<string>, maxChars = MAX_CHARS): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(chunks, maxChars)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}

async function* readLines(chunks: AsyncIterable<string>, maxChars: number): AsyncGenerator<string> {
  // The chunks of a long line are joined once, at its end.
  let partial: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    partial.push(chunk);
    length += chunk.length;
    if (length > maxChars) throw tooLong();
    if (!chunk.includes('\n')) continue;
    const lines = partial.join('').split('\n');
    partial = [lines.pop() ?? ''];
    length = partial[0]?.length ?? 0;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

const tooLong = (): Error => new Error('its answer is too long');

/** To be combined with other signals: Node 20 may collect an AbortSignal.timeout within AbortSignal.any. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  // The timer keeps the controller, and so every signal derived from it, alive.
  setTimeout(() => controller.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')), ms).unref();
  return controller.signal;
}
