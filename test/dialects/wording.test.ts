// Our texts in the words of a dialect: refs and tool names are changed, what comes from a page is not.
import { describe, expect, it } from 'vitest';
import { aliasWording, namedAsCalled } from '../../src/call/explain.ts';
import { takePictures } from '../../src/call/present.ts';
import { DEFINITION as CHROME } from '../../src/dialects/chrome/definition.ts';
import { encodeFailure, encodeText } from '../../src/dialects/encode.ts';
import { DEFINITION as VISION } from '../../src/dialects/vision/definition.ts';
import { wordingFor } from '../../src/dialects/wording.ts';
import { Failure } from '../../src/errors.ts';
import {
  advice,
  calledTool,
  capital,
  noun,
  OR_MORE_TIME,
  optionName,
  phrase,
  refName,
  TAKE_NEW_SNAPSHOT,
  TAKE_SNAPSHOT,
  tabName,
  theTool,
  toolName,
} from '../../src/text.ts';
import { TOOLS } from '../../src/tools/index.ts';

const tool = (name: string) => TOOLS.find(row => row.name === name)!;
const chrome = wordingFor(CHROME, { call: { name: 'chrome_click_element', args: {} }, tool: tool('click') }, undefined);
const vision = wordingFor(VISION, { call: { name: 'browser.click', args: {} }, tool: tool('click') }, undefined);

describe('a phrase', () => {
  it.each([
    [
      phrase`${capital(TAKE_NEW_SNAPSHOT)} and use a ${noun('ref')} from it.`,
      'Take a new snapshot and use a ref from it.',
      'Call chrome_read_page again and use a ref from it.',
    ],
    [phrase`See ${toolName('tab_list')}.`, 'See tab_list.', 'See get_windows_and_tabs.'],
    [phrase`Use ${theTool('check', 'uncheck')}.`, 'Use the check or uncheck tool.', 'Use chrome_fill_or_select.'],
    [phrase`Grant it with ${theTool('permissions')}.`, 'Grant it with the permissions tool.', undefined],
    [
      phrase`${refName(3)} link ${'"To @e4"'} in ${tabName(7)}`,
      '@e3 link "To @e4" in tab 7',
      'ref_3 link "To @e4" in tab 7',
    ],
    [phrase`a ${phrase`${refName(1)} of ${2}`} b`, 'a @e1 of 2 b', 'a ref_1 of 2 b'],
  ])('%s', (given, native, said = native) => {
    expect(String(given)).toBe(native);
    expect(JSON.stringify({ given })).toBe(JSON.stringify({ given: native }));
    expect(encodeText(chrome, given)).toBe(said);
  });

  it('leaves out advice that names a tool which a strict dialect lacks', () => {
    const opened = phrase`Clicked ${refName(1)}; alert dialog open: "Sure?"${advice(phrase`; answer it with ${theTool('dialog')}`)}.`;
    expect(String(opened)).toBe('Clicked @e1; alert dialog open: "Sure?"; answer it with the dialog tool.');
    expect(encodeText(vision, opened)).toBe('Clicked @e1; alert dialog open: "Sure?".');
  });
});

describe('14.13 advice to give an argument', () => {
  const inVision = (name: string, native: string) =>
    wordingFor(VISION, { call: { name, args: {} }, tool: tool(native) }, undefined);
  const late = phrase`Try again${OR_MORE_TIME}.`;
  it.each([
    [
      'a strict dialect whose tool takes it',
      inVision('browser.click', 'click'),
      'Try again, or give a larger timeout.',
    ],
    ['one whose tool does not', inVision('browser.evaluate', 'evaluate'), 'Try again.'],
    ['one that takes native arguments', chrome, 'Try again, or give a larger timeout.'],
  ])('in %s', (_, wording, said) => expect(encodeText(wording, late)).toBe(said));

  it('in a strict dialect names no option of our server', () =>
    expect(encodeText(vision, phrase`Full${advice(phrase`: rule "${optionName('--max-sessions')}"`)}.`)).toBe('Full.'));
});

describe('an answer', () => {
  it('that is plain text is left as it is', () => {
    const text = 'see tab_list, @e1';
    expect(encodeText(chrome, text)).toBe(text);
  });

  it('has its phrases as text in the data too', () => {
    const data = {
      element: phrase`${refName(1)} button`,
      matches: [{ text: 'see @e3' }],
      when: new Date(0),
      none: null,
    };
    expect(takePictures(data).data).toEqual({ ...data, element: '@e1 button' });
    expect(takePictures(data, chrome).data).toEqual({ ...data, element: 'ref_1 button' });
  });
});

describe('a failure', () => {
  const failure = new Failure(
    'timeout',
    phrase`${calledTool('click')} was not done within 5 s.`,
    phrase`${capital(TAKE_SNAPSHOT)}.`,
  );

  it('names the tool as it was called', () => {
    expect(encodeFailure(CHROME, chrome, failure)).toMatchObject({
      code: 'timeout',
      message: 'chrome_click_element was not done within 5 s.',
      hint: 'Call chrome_read_page.',
    });
    const native = namedAsCalled(failure, aliasWording(tool('click'), 'chrome_click_element'));
    expect(native.message).toBe('chrome_click_element was not done within 5 s.');
    expect(native.hint).toBe('Take a snapshot.');
  });

  it('has no hint where that would name a tool which the dialect lacks', () => {
    const hint = phrase`Try ${theTool('type')}, which sends a key at a time.`;
    const { message, hint: said } = encodeFailure(VISION, vision, new Failure('not_taken', 'No.', hint));
    expect([message, said]).toEqual(['No.', undefined]);
  });

  it('of our own names stays the very same', () => {
    expect(namedAsCalled(failure, undefined)).toBe(failure);
  });
});
