// What a client would rather have, a picture as it is or JSON: read from its Accept header.

interface Wish {
  type: string;
  /** From 0, never, to 1. */
  weight: number;
}

/** True when the header names that type of picture, and puts JSON no higher. */
export function wantsPicture(accept: string | undefined, mimeType: string): boolean {
  const wishes = (accept ?? '').split(',').map(wishOf);
  const picture = weightOf(wishes, [mimeType, 'image/*']);
  return picture > 0 && picture >= weightOf(wishes, ['application/json', 'application/*']);
}

function wishOf(text: string): Wish {
  const [type = '', ...rest] = text.split(';').map(part => part.trim().toLowerCase());
  const weight = Number(rest.find(part => part.startsWith('q='))?.slice(2) ?? 1);
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}

/** The first of the types that is named counts: it is the most exact one. */
function weightOf(wishes: readonly Wish[], types: readonly string[]): number {
  const [first] = types.flatMap(type => wishes.filter(wish => wish.type === type));
  return first?.weight ?? 0;
}
