// The words for an action on the frames of a recording.
import { expect, it } from 'vitest';
import { captionOf } from '../../../src/engine/media/recording/captions.ts';
import { phrase, refLabel } from '../../../src/text.ts';
import { did } from '../../../src/tools/effects-text.ts';

const label = (number: number, words: string) => phrase`${refLabel(number, words)}`;

it.each([
  [
    'click',
    did(phrase`Clicked ${label(5, 'button "Save; go"')}`, { navigated: { url: 'https://a.test/', title: 'Done' } }),
    'Clicked button "Save; go"',
  ],
  [
    'drag',
    phrase`Dragged ${label(1, 'listitem "A"')} to ${label(22, 'listitem "B"')}.`,
    'Dragged listitem "A" to listitem "B"',
  ],
  ['navigate', 'Opened https://a.test/?token=abcdef123456 "A"', 'Opened https://a.test/?token=[redacted] "A"'],
])('%s: what was done, in short', (tool, text, words) => {
  expect(captionOf(tool, text)).toBe(words);
});

it.each(['cookies', 'storage', 'evaluate', 'request'])('%s: only its name, for its words may hold secrets', tool => {
  expect(captionOf(tool, 'sid=s3cr3t')).toBe(tool);
});

it('is never long', () => {
  expect(captionOf('click', `Clicked ${'x'.repeat(5_000)}`).length).toBeLessThanOrEqual(100);
});
