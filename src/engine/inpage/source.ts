// Puts our in-page functions together as one text that is installed in our own script world of a frame.
import { elementFingerprint } from '../snapshot/capture/fingerprint.ts';
import * as fields from './fields.ts';
import * as look from './look.ts';
import * as guard from './press-guard.ts';

const functions = { ...look, ...guard, ...fields, elementFingerprint };

/** The functions that can be called on an element, with their argument and answer. */
export type InPage = typeof functions;

/** Some compilers wrap functions in __name(…): give them one that does nothing. */
export const SOURCE = `(() => {
const __name = f => f;
${Object.values(functions).map(String).join('\n')}
globalThis.tabwright = { ${Object.entries(functions)
  .map(([key, value]) => `${key}: ${value.name}`)
  .join(', ')} };
})()`;
