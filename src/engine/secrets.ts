// Secrets as the engine sees them: texts with handles in, values out for the origin that they go to, and the mask for what comes back.
import { hasHandle } from '../policy/secrets/handles.ts';
import type { TextMask } from '../policy/secrets/text-mask.ts';
import type { Limits } from './limits.ts';

/** A part of a text: words of the caller, or a value that nobody may read. */
export interface TextPart {
  text: string;
  kind: 'plain' | 'secret' | 'totp';
}

/** The secrets that one call may use, and those that its answer must not show. */
export interface CallSecrets {
  /** The text with the values in place of its handles. Rejects when one of them is not for this caller or that origin. */
  resolve(text: string, origin: string): Promise<TextPart[]>;
  /** Undefined when there is nothing to mask. */
  readonly mask: TextMask | undefined;
}

/** The text in parts. `originOf` is only asked when there is a handle in it. */
export async function partsOf(text: string, originOf: () => Promise<string>, limits: Limits): Promise<TextPart[]> {
  if (!hasHandle(text) || !limits.secrets) return [{ text, kind: 'plain' }];
  return limits.secrets.resolve(text, await originOf());
}

export const joinedParts = (parts: readonly TextPart[]): string => parts.map(({ text }) => text).join('');

/** Text in UTF-8, as it may be saved for the caller. */
export function maskedBytes<T extends Uint8Array>(bytes: T, { secrets }: Limits): T | Buffer {
  const text = secrets?.mask && Buffer.from(bytes).toString();
  const masked = text && secrets?.mask?.text(text);
  return masked === undefined || masked === text ? bytes : Buffer.from(masked);
}
