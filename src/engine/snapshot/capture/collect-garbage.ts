// Gives back the memory that a large capture took: V8 collects garbage when it needs room, and a server that rests would keep it all.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Captures of fewer nodes take little. */
const LARGE = 20_000;
/** In ms after the last large capture: it stops the process for about a tenth of a second. */
const REST_MS = 10_000;

let timer: NodeJS.Timeout | undefined;

/** Call with the number of nodes of a capture. */
export function collectLater(nodes: number): void {
  // Bun collects by itself, and has no such flag.
  if (nodes < LARGE || process.versions.bun !== undefined) return;
  clearTimeout(timer);
  timer = setTimeout(collect, REST_MS).unref();
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
}
