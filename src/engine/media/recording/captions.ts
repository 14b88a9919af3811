// The words for an action on the frames of a recording.
import { redact } from '../../../policy/mask.ts';
import type { Phrase, Wording } from '../../../text.ts';

/** Tools whose own words may be shown. Of the others only the name: their words may hold what nobody should see. */
const SPOKEN = new Set(
  (
    'back check clear click dblclick dialog drag fill focus forward hover navigate press reload scroll select ' +
    'type uncheck upload'
  ).split(' '),
);
const LONGEST = 100;

/** `Clicked button "Save"`: without the ref, and without what it caused. */
export function captionOf(tool: string, words: string | Phrase): string {
  if (!SPOKEN.has(tool)) return tool;
  const deed = redact(typeof words === 'string' ? words : words.in(CAPTION));
  return (deed.endsWith('.') ? deed.slice(0, -1) : deed).slice(0, LONGEST);
}

const CAPTION: Wording = {
  strict: false,
  brief: true,
  tool: () => undefined,
  called: name => name,
  ref: () => '',
  tab: id => `tab ${id}`,
  noun: word => word,
};
