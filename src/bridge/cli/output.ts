// What becomes of captured text: cut to its limit, and read as JSON. Pure.

export interface Bounded {
  text: string;
  cut: boolean;
}

/** At most `limit` characters, the mark of the cut included. `length` is how long the text was before it was captured. */
export function bound(text: string, limit: number, length = text.length): Bounded {
  if (length <= limit && text.length <= limit) return { text, cut: false };
  const mark = `\n[cut: ${length} characters in all; save_output_path keeps them]`;
  if (mark.length > limit) return { text: head(text, limit), cut: true };
  return { text: head(text, limit - mark.length) + mark, cut: true };
}

/** Never half of a pair of surrogates. */
function head(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

export const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** The value of a text that is JSON; null for anything else, half a JSON included. */
export function parseJson(text: string): unknown {
  if (!looksLikeJson(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
