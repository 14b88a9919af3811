// The budget of an answer, and pictures in the data.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureText, fitBudget, takePictures } from '../../src/call/present.ts';
import { Picture } from '../../src/engine/picture.ts';
import { Failure } from '../../src/errors.ts';

describe('fitBudget', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `- line ${index}`).join('\n');

  it('leaves alone what fits', () => expect(fitBudget('abc', 3, true)).toBe('abc'));

  it('cuts at the end of a line and says what is missing and how to get it', () => {
    const text = fitBudget(lines, 500, true);
    const [kept, notice] = [text.slice(0, text.lastIndexOf('\n')), text.slice(text.lastIndexOf('\n') + 1)];
    expect(text.length).toBeLessThanOrEqual(500);
    expect(lines.startsWith(`${kept}\n`)).toBe(true);
    expect(notice).toBe(
      `[${lines.length - kept.length} of ${lines.length} characters are cut off here. ` +
        `Give max_chars: ${lines.length} for all of it, or ask for less.]`,
    );
    expect(fitBudget(lines, 500, false)).toMatch(/cut off here\. Ask for less\.\]$/);
  });

  it.each([500, 501])('cuts one long line at %i, but no character in two', budget => {
    const text = fitBudget('😀'.repeat(1_000), budget, false);
    expect(text).toMatch(/^(?:😀)+\n\[\d+ of 2000 /u);
    expect(text.length).toBeGreaterThan(budget - 5);
  });

  it('keeps its word for any text and budget', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'ß'), maxLength: 600 });
    fc.assert(
      fc.property(text, fc.integer({ min: 150, max: 600 }), fc.boolean(), (whole, budget, more) => {
        const cut = fitBudget(whole, budget, more);
        expect(cut.length).toBeLessThanOrEqual(budget);
        if (cut === whole) return;
        const missing = Number(/\[(\d+) of \d+ characters are cut off here/.exec(cut)?.[1]);
        expect(whole.startsWith(cut.slice(0, whole.length - missing))).toBe(true);
        expect(cut, 'no half of a character').not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe('takePictures', () => {
  const picture = new Picture('image/png', Buffer.from('12345'), 20, 10);
  const inPlace = { mimeType: 'image/png', bytes: 5, width: 20, height: 10 };

  it('finds pictures at any depth and leaves their facts', () => {
    const data = { shots: [{ at: 1, image: picture }, { image: picture }], path: 'x' };
    expect(takePictures(data)).toEqual({
      data: { shots: [{ at: 1, image: inPlace }, { image: inPlace }], path: 'x' },
      pictures: [picture, picture],
    });
    expect(takePictures(picture)).toEqual({ data: inPlace, pictures: [picture] });
  });

  it('hands data without pictures on as it is', () => {
    const data = { a: [1, { b: new Date(0) }], c: null, d: undefined };
    expect(takePictures(data).data).toBe(data);
  });

  it('ends on data that goes round in a circle or is huge', () => {
    const data: Record<string, unknown> = { list: Array(1e5).fill({ a: 1 }) };
    data.self = data;
    expect(takePictures(data).pictures).toEqual([]);
  });
});

describe('failureText', () => {
  it('is the message and, on a second line, the hint', () => {
    expect(failureText(new Failure('timeout', 'Late.', 'Again.'))).toBe('Late.\nAgain.');
    expect(failureText(new Failure('timeout', 'Late.'))).toBe('Late.');
  });
});
