// The process that reads one trace: the path of its file in, what it tells as JSON out. A server must not stand still for that.
import './ground.ts';
import { readFile } from 'node:fs/promises';
import { digest } from './digest.ts';
import type { Read } from './reading.ts';

async function read(path: string): Promise<Read> {
  try {
    const { traceEvents } = JSON.parse(await readFile(path, 'utf8'));
    return { reading: await digest(traceEvents) };
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
}

process.stdout.write(JSON.stringify(await read(process.argv[2] ?? '')));
