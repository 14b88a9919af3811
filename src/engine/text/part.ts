// One part of a long Markdown text, cut between its blocks. Pure.

export interface Part {
  text: string;
  /** Where the next part begins. */
  end: number;
}

const FENCE = /^ *(`{3,})\S*$/gm;

/** At most about `room` characters from `offset` on. Code that is cut keeps its fences in both parts. */
export function partOf(whole: string, offset: number, room: number): Part {
  const opening = openFence(whole.slice(0, offset));
  const rest = whole.slice(offset);
  const length = rest.length <= room ? rest.length : cutAt(rest, room, opening);
  const text = rest.slice(0, length);
  const start = opening === '' ? '' : `${opening}\n`;
  const open = openFence(start + text);
  const close = open === '' || length === rest.length ? '' : `\n${open}`;
  return { text: `${start}${text.trimEnd()}${close}`, end: offset + length };
}

/** The fence that is still open at the end of the text. */
function openFence(text: string): string {
  let open = '';
  for (const [, fence = ''] of text.matchAll(FENCE)) {
    if (open === '') open = fence;
    else if (fence === open) open = '';
  }
  return open;
}

/** Between blocks if that leaves at least half, else at the end of a line, else between words, else between characters. */
function cutAt(text: string, room: number, opening: string): number {
  const least = room / 2;
  for (let at = text.lastIndexOf('\n\n', room); at > least; at = text.lastIndexOf('\n\n', at - 1))
    if (openFence(`${opening}\n${text.slice(0, at)}`) === '') return at + 2;
  for (const gap of ['\n', ' ']) {
    const at = text.lastIndexOf(gap, room);
    if (at > least) return at + 1;
  }
  return /[\uD800-\uDBFF]/.test(text[room - 1] ?? '') ? room - 1 : room;
}
