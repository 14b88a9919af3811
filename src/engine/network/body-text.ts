// Which bodies are text, and how they are read.
import { isUtf8 } from 'node:buffer';

const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|ecmascript|x-javascript|x-www-form-urlencoded|graphql|yaml|x-yaml|toml|x-ndjson)|image\/svg)/i;
const BINARY_TYPE = /^(?:image|audio|video|font)\//i;

/** By the content type; by the bytes when the type is not known. */
export function isText(type: string, body: Buffer): boolean {
  if (TEXT_TYPE.test(type)) return true;
  return !BINARY_TYPE.test(type) && isUtf8(body) && !body.includes(0);
}

export function textOf(type: string, body: Buffer): string {
  return decoder(/charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? 'utf-8').decode(body);
}

/** A body with an unknown charset is most likely UTF-8. */
function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
