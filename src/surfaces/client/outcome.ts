// What came of one call, wherever it ran: what the command line prints.
import type { Result } from '../../call/call.ts';
import type { Failure } from '../../errors.ts';
import { type StructuredResult, structuredForm } from '../listing/structured.ts';

export interface Outcome {
  text: string;
  structured: StructuredResult;
  pictures: readonly { mimeType: string; bytes: Buffer }[];
}

export const ofResult = (result: Result): Outcome => ({
  text: result.text,
  structured: structuredForm(result),
  pictures: result.pictures,
});

/** Of a call that did not begin, or whose answer never came. */
export const ofFailure = (failure: Failure): Outcome => ({
  text: [failure.message, failure.hint].filter(Boolean).join('\n'),
  structured: structuredForm({ failure }),
  pictures: [],
});
