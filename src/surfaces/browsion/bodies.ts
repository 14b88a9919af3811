// What the API says of requests and calls that were not done: one form of JSON for all.
import type { Result } from '../../call/call.ts';
import type { HttpRefusal, HttpRule } from '../http/refuse.ts';

interface Body {
  /** In one word, for programs. */
  error: string;
  message: string;
  code: string;
  hint?: string;
}

/** Where the rule's own name would say little. */
const WORDS: Partial<Record<HttpRule, string>> = {
  token: 'unauthorized',
  path: 'not_found',
  method: 'method_not_allowed',
  message: 'bad_request',
  type: 'unsupported_media_type',
  size: 'payload_too_large',
  host: 'forbidden',
  origin: 'forbidden',
  fault: 'internal',
};

export const refusalBody = ({ rule, message }: HttpRefusal): Body => ({
  error: WORDS[rule] ?? rule,
  message,
  code: rule,
});

export function failureBody({ failure, text }: Pick<Result, 'failure' | 'text'>): Body {
  const { code = 'internal', message = text, hint } = failure ?? {};
  return { error: code, message, code, ...(hint !== undefined && { hint }) };
}
