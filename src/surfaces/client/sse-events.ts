// Server-sent events: the data of each, out of the pieces of text as they arrive.

/** Throws when one event is longer than `most` characters. Comments and other fields are passed over. */
export async function* dataOf(pieces: AsyncIterable<string>, most: number): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of linesOf(pieces, most)) {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}

async function* linesOf(pieces: AsyncIterable<string>, most: number): AsyncGenerator<string> {
  // A long line comes in many pieces: they are put together only at its end.
  let held: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length > most) throw new Error('its answer is too long');
    if (!piece.includes('\n')) continue;
    const lines = held.join('').split('\n');
    held = [lines.pop() ?? ''];
    length = held[0]?.length ?? 0;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
