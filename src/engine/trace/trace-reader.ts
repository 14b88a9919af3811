// The process that reads one trace: the path of its file in, the report as JSON out. Reading would block the server for seconds.

import './polyfills.ts';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Types } from '@paulirish/trace_engine';
import { digest, ownEvents } from './digest.ts';
import type { TraceReadResult } from './report.ts';
import { filteredPath } from './trace-file.ts';

type Event = Types.Events.Event;

async function eventsIn(path: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) events.push(JSON.parse(line));
  return events;
}

/** The JSON that DevTools opens. */
function* linesOf(events: readonly Event[], startTime: string): Generator<string> {
  yield '{"traceEvents":[\n';
  for (const [index, event] of events.entries()) yield `${index === 0 ? '' : ',\n'}${JSON.stringify(event)}`;
  yield `],\n"metadata":${JSON.stringify({ source: 'Tabwright', startTime })}}\n`;
}

const reportOf = (events: readonly Event[]) =>
  digest(events).then(
    reading => ({ reading }),
    (error: unknown) => ({ unread: error instanceof Error ? error.message : String(error) }),
  );

const [path = '', startTime = '', format = 'none'] = process.argv.slice(2);
const events = ownEvents(await eventsIn(path));
if (format !== 'none') {
  const compress = format === 'gzip' ? createGzip() : new PassThrough();
  await pipeline(
    Readable.from(linesOf(events, startTime)),
    compress,
    createWriteStream(filteredPath(path), { mode: 0o600 }),
  );
}
const result: TraceReadResult = { events: events.length, ...(await reportOf(events)) };
process.stdout.write(JSON.stringify(result));
