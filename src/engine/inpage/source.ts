// The script that installs our in-page functions in our own script world of a frame.

import * as changes from '../receipt/collect-changes.ts';
import * as watch from '../receipt/watch-page.ts';
import * as match from '../selectors/match.ts';
import * as css from '../selectors/match-css.ts';
import { elementFingerprint } from '../snapshot/capture/fingerprint.ts';
import * as builtIn from './built-in.ts';
import * as hiding from './conceal.ts';
import { declarations } from './declarations.ts';
import * as drag from './drag.ts';
import * as fields from './fields.ts';
import * as owner from './frame-owner.ts';
import * as look from './look.ts';
import * as page from './page-facts.ts';
import * as parts from './parts.ts';
import * as guard from './press-guard.ts';
import * as seek from './seek.ts';
import * as widgets from './widgets.ts';

const functions = {
  ...builtIn,
  ...look,
  ...owner,
  ...guard,
  ...fields,
  ...drag,
  ...seek,
  ...page,
  ...hiding,
  ...widgets,
  ...parts,
  ...match,
  ...css,
  ...watch,
  ...changes,
  elementFingerprint,
};

/** The functions that can be called on an element, with their argument and answer. */
export type InPage = typeof functions;

export const SOURCE = `(() => {
${declarations(Object.values(functions))}
globalThis.tabwright = { ${Object.entries(functions)
  .map(([key, value]) => `${key}: ${value.name}`)
  .join(', ')} };
// What the page does by itself is known from here on.
watcher();
})()`;
