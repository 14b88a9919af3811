// Parts of a long Markdown text: cut between blocks, code keeps its fences, nothing is lost.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partOf } from '../../../src/engine/text/read.ts';

/** All parts, without the fences that were added. */
function parts(whole: string, room: number): string[] {
  const list: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const { text, end } = partOf(whole, at, room);
    expect(end).toBeGreaterThan(at);
    list.push(text);
    at = end;
  }
  return list;
}

describe('partOf', () => {
  it('is all when there is room', () => expect(partOf('a\n\nb', 0, 100)).toEqual({ text: 'a\n\nb', end: 4 }));

  it('cuts between blocks, else at a line, else between words, else anywhere', () => {
    expect(partOf('one two\n\nthree four five', 0, 12)).toEqual({ text: 'one two', end: 9 });
    expect(partOf('one two\nthree four five', 0, 12)).toEqual({ text: 'one two', end: 8 });
    expect(partOf('one two three four', 0, 12)).toEqual({ text: 'one two', end: 8 });
    expect(partOf('x'.repeat(30), 0, 12)).toEqual({ text: 'x'.repeat(12), end: 12 });
  });

  it('does not cut a character in two', () => expect(partOf('😀'.repeat(10), 0, 5).text).toBe('😀😀'));

  it('prefers a place outside of code, and closes code that must be cut', () => {
    const whole = `${'word '.repeat(10)}\n\n\`\`\`js\none\n\ntwo\n\`\`\`\n\nend`;
    expect(partOf(whole, 0, 66).text).toBe('word '.repeat(10).trim());
    const [first = '', second = ''] = parts(`\`\`\`js\n${'line\n'.repeat(20)}\`\`\``, 60);
    expect(first).toMatch(/^```js\nline[\s\S]*\n```$/);
    expect(second).toMatch(/^```\nline/);
  });

  it('loses nothing', () => {
    const block = fc.oneof(
      fc.lorem({ maxCount: 30 }),
      fc.string({ maxLength: 80 }).map(text => text.replaceAll('`', '')),
    );
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 20, max: 300 }),
        (blocks, room) => {
          const whole = blocks.join('\n\n');
          const squash = (text: string) => text.replace(/\s+/g, '');
          expect(squash(parts(whole, room).join(''))).toBe(squash(whole));
        },
      ),
    );
  });
});
