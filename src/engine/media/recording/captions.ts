// The words for an action on the frames of a recording.
import { redact } from '../../../policy/mask.ts';

/** Tools whose own words may be shown. Of the others only the name: their words may hold what nobody should see. */
const SPOKEN = new Set(
  (
    'back check clear click dblclick dialog drag fill focus forward hover navigate press reload scroll select ' +
    'type uncheck upload'
  ).split(' '),
);
const LONGEST = 100;

/** `Clicked button "Save"`: without the ref, and without what it caused. */
export function wordsFor(tool: string, words: string): string {
  if (!SPOKEN.has(tool)) return tool;
  const [deed = ''] = words.split(/[;\n]/);
  return redact(deed)
    .replace(/@e\d+ /g, '')
    .replace(/\.$/, '')
    .slice(0, LONGEST);
}
