// The words for an action on the frames of a recording.
import { expect, it } from 'vitest';
import { captionOf } from '../../../src/engine/media/recording/tab-recording.ts';
import { phrase, refLabel } from '../../../src/text.ts';
import { did } from '../../../src/tools/effects-text.ts';
import { TOOLS } from '../../../src/tools/index.ts';

const label = (number: number, words: string) => phrase`${refLabel(number, words)}`;

it.each([
  [
    did(phrase`Clicked ${label(5, 'button "Save; go"')}`, { navigated: { url: 'https://a.test/', title: 'Done' } }),
    'Clicked button "Save; go"',
  ],
  [
    phrase`Dragged ${label(1, 'listitem "A"')} to ${label(22, 'listitem "B"')}.`,
    'Dragged listitem "A" to listitem "B"',
  ],
  ['Opened https://a.test/?token=abcdef123456 "A"', 'Opened https://a.test/?token=[redacted] "A"'],
])('%s: what was done, in short', (text, words) => {
  expect(captionOf(text)).toBe(words);
});

it('is the text of tools whose words hold no secrets, and the name of the others', () => {
  const captioned = TOOLS.filter(tool => tool.captioned).map(({ name }) => name);
  expect(captioned.sort().join(' ')).toBe(
    'back check clear click dblclick dialog drag fill focus forward hover navigate press reload scroll select type uncheck upload',
  );
});

it('is never long', () => {
  expect(captionOf(`Clicked ${'x'.repeat(5_000)}`).length).toBeLessThanOrEqual(100);
});
