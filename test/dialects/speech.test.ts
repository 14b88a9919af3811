// Our words in those of a dialect: refs and tool names are changed, what comes from a page is not.
import { describe, expect, it } from 'vitest';
import { sayData, sayFailure, sayText } from '../../src/call/speak.ts';
import { CHROME } from '../../src/dialects/chrome/chrome.ts';
import { withNames, withRefs } from '../../src/dialects/speech.ts';
import { Failure } from '../../src/errors.ts';
import { TOOLS } from '../../src/tools/index.ts';

const tool = (name: string) => TOOLS.find(row => row.name === name)!;
const asked = { name: 'chrome_click_element', dialect: 'chrome' } as const;

describe('refs', () => {
  it.each([
    ['- button "Save" [ref=@e12] [level=1]', '- button "Save" [ref=ref_12] [level=1]'],
    ['@e3 link "To @e4 \\" @e5"; @e6', 'ref_3 link "To @e4 \\" @e5"; ref_6'],
    ['@e3 (button) is gone, see (@e4)', 'ref_3 (button) is gone, see (ref_4)'],
    [
      '- button "5\\" wide" [ref=@e1]\n- text: "odd [ref=@e2]',
      '- button "5\\" wide" [ref=ref_1]\n- text: "odd [ref=ref_2]',
    ],
    ['me@e12.test, a@e1, @e1x', 'me@e12.test, a@e1, @e1x'],
  ])('%s', (text, said) => expect(withRefs(CHROME, text)).toBe(said));

  it('in data stand alone', () => {
    const data = { ref: '@e1', matches: [{ ref: '@e2', text: 'see @e3' }], when: new Date(0), none: null };
    expect(sayData(asked, tool('query'), data)).toEqual({
      ref: 'ref_1',
      matches: [{ ref: 'ref_2', text: 'see @e3' }],
      when: new Date(0),
      none: null,
    });
  });
});

describe('names in hints', () => {
  it.each([
    ['Take a new snapshot and use a ref from it.', 'Call chrome_read_page again and use a ref from it.'],
    ['See tab_list.', 'See get_windows_and_tabs.'],
    ['Use the check or uncheck tool.', 'Use chrome_fill_or_select.'],
    ['Answer it with the dialog tool (accept or dismiss).', 'Answer it with chrome_handle_dialog (accept or dismiss).'],
    ['Call record with action stop first.', 'Call chrome_gif_recorder with action stop first.'],
    ['Use navigate with a url.', 'Use chrome_navigate with a url.'],
    ['Check another one of its group; wait, then select it.', 'Check another one of its group; wait, then select it.'],
    ['It says "Use click, see tab_list".', 'It says "Use click, see tab_list".'],
  ])('%s', (hint, said) => expect(withNames(CHROME, hint)).toBe(said));
});

describe('an answer', () => {
  it('is left as it is where a page speaks, and without a dialect', () => {
    const text = 'see tab_list, @e1';
    for (const name of ['evaluate', 'read', 'request', 'storage']) expect(sayText(asked, tool(name), text)).toBe(text);
    expect(sayText({ name: 'click' }, tool('click'), text)).toBe(text);
    expect(sayText(asked, tool('snapshot'), text)).toBe('see tab_list, ref_1');
    expect(sayText(asked, tool('click'), text)).toBe('see get_windows_and_tabs, ref_1');
  });
});

describe('a failure', () => {
  const failure = new Failure('timeout', 'click was not done within 5 s.', 'Take a snapshot.');

  it('names the tool as it was called', () => {
    expect(sayFailure(asked, tool('click'), failure)).toMatchObject({
      code: 'timeout',
      message: 'chrome_click_element was not done within 5 s.',
      hint: 'Call chrome_read_page.',
    });
    const native = sayFailure({ name: 'chrome_click_element' }, tool('click'), failure);
    expect(native.message).toBe('chrome_click_element was not done within 5 s.');
    expect(native.hint).toBe('Take a snapshot.');
  });

  it('of our own names stays the very same', () => {
    expect(sayFailure({ name: 'click' }, tool('click'), failure)).toBe(failure);
    expect(sayFailure({ name: 'nothing' }, undefined, failure)).toBe(failure);
  });
});
