// The process that reads one trace: its file in, what it tells as JSON out. A server must not stand still for that.

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

/** In the form that DevTools opens. */
function* linesOf(events: readonly Event[], startTime: string): Generator<string> {
  yield '{"traceEvents":[\n';
  for (const [index, event] of events.entries()) yield `${index === 0 ? '' : ',\n'}${JSON.stringify(event)}`;
  yield `],\n"metadata":${JSON.stringify({ source: 'Tabwright', startTime })}}\n`;
}

const told = (events: readonly Event[]) =>
  digest(events).then(
    reading => ({ reading }),
    (error: unknown) => ({ unread: error instanceof Error ? error.message : String(error) }),
  );

const [path = '', startTime = '', form = 'none'] = process.argv.slice(2);
const events = ownEvents(await eventsIn(path));
if (form !== 'none') {
  const pack = form === 'gzip' ? createGzip() : new PassThrough();
  await pipeline(Readable.from(linesOf(events, startTime)), pack, createWriteStream(filteredPath(path)));
}
const read: TraceReadResult = { events: events.length, ...(await told(events)) };
process.stdout.write(JSON.stringify(read));
