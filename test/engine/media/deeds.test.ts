// The words for an action on the frames of a recording.
import { expect, it } from 'vitest';
import { wordsFor } from '../../../src/engine/media/recording/captions.ts';

it.each([
  ['click', 'Clicked @e5 button "Save"; now at https://a.test/ "Done".', 'Clicked button "Save"'],
  ['fill', 'Filled @e3 textbox "Name"; the page made it X.', 'Filled textbox "Name"'],
  ['drag', 'Dragged @e1 listitem "A" to @e22 listitem "B".', 'Dragged listitem "A" to listitem "B"'],
  ['navigate', 'Opened https://a.test/?token=abcdef123456 "A"', 'Opened https://a.test/?token=[redacted] "A"'],
])('%s: what was done, in short', (tool, text, words) => {
  expect(wordsFor(tool, text)).toBe(words);
});

it.each(['cookies', 'storage', 'evaluate', 'request'])('%s: only its name, for its words may hold secrets', tool => {
  expect(wordsFor(tool, 'sid=s3cr3t')).toBe(tool);
});

it('is never long', () => {
  expect(wordsFor('click', `Clicked ${'x'.repeat(5_000)}`).length).toBeLessThanOrEqual(100);
});
