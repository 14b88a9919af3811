// Plain words as arguments: what a person types, and what the tool is given.
import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/call/validate.ts';
import { Failure } from '../../../src/errors.ts';
import { exampleWords } from '../../../src/surfaces/cli/call/example.ts';
import { readArguments } from '../../../src/surfaces/cli/call/parse-words.ts';
import { usageOf } from '../../../src/surfaces/cli/call/positionals.ts';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import type { Listed } from '../../../src/surfaces/listing/listing.ts';
import { TOOLS } from '../../../src/tools/index.ts';

function listed(name: string): Listed {
  const found = LISTED.find(({ tool }) => tool.name === name);
  if (!found) throw new Error(`no tool ${name}`);
  return found;
}

const read = (tool: string, ...words: string[]) => readArguments(listed(tool), words);

/** The message and the hint of what must not be understood. */
function refused(tool: string, ...words: string[]): string {
  try {
    return `understood as ${JSON.stringify(read(tool, ...words))}`;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_input') throw error;
    return `${error.message} ${error.hint ?? ''}`;
  }
}

/** There, `text=Save` is an argument of its own. */
const hasText = ({ tool }: (typeof LISTED)[number]): boolean =>
  Object.keys(tool.inputSchema.properties ?? {}).includes('text');

describe('plain words', () => {
  it.each([
    ['navigate https://example.com', { url: 'https://example.com' }],
    ['navigate https://h/?a=b&url=c', { url: 'https://h/?a=b&url=c' }],
    ['navigate back', { action: 'back' }],
    [
      'navigate https://example.com networkidle 9000',
      { url: 'https://example.com', wait_until: 'networkidle', timeout: 9000 },
    ],
    ['fill @e7 Ann', { selector: '@e7', value: 'Ann' }],
    ['fill @e7 007', { selector: '@e7', value: '007' }],
    ['fill @e7 true', { selector: '@e7', value: 'true' }],
    ['fill value=Ann @e7', { selector: '@e7', value: 'Ann' }],
    ['fill @e7 value=', { selector: '@e7', value: '' }],
    ['click @e3', { selector: '@e3' }],
    ['click xpath=//a[@id="x"]', { selector: 'xpath=//a[@id="x"]' }],
    ['click ref=e3 button=right', { selector: 'ref=e3', button: 'right' }],
    ['click coordinates={"x":1,"y":2}', { coordinates: { x: 1, y: 2 } }],
    ['click @e3 modifiers=Control modifiers=Shift', { selector: '@e3', modifiers: ['Control', 'Shift'] }],
    ['click @e3 modifiers=["Control","Shift"]', { selector: '@e3', modifiers: ['Control', 'Shift'] }],
    ['click @e3 force=true timeout=1.5e3', { selector: '@e3', force: true, timeout: 1500 }],
    ['hover role:button', { selector: 'role:button' }],
    ['drag @e1 @e2', { source: '@e1', target: '@e2' }],
    ['drag @e1 target_coordinates={"x":1,"y":2}', { source: '@e1', target_coordinates: { x: 1, y: 2 } }],
    ['drag source_coordinates={"x":1,"y":2} @e2', { source_coordinates: { x: 1, y: 2 }, target: '@e2' }],
    ['press Enter', { key: 'Enter' }],
    ['press @e3 Enter', { selector: '@e3', key: 'Enter' }],
    ['type hello', { text: 'hello' }],
    ['type @e3 hello', { selector: '@e3', text: 'hello' }],
    ['select @e3 jp', { selector: '@e3', value: 'jp' }],
    ['select @e3 value=["at","jp"]', { selector: '@e3', value: ['at', 'jp'] }],
    ['select @e3 value=[x', { selector: '@e3', value: '[x' }],
    ['select @e3 label=Japan', { selector: '@e3', label: 'Japan' }],
    ['select @e3 index=2', { selector: '@e3', index: 2 }],
    ['upload @e3 a.txt b.txt', { selector: '@e3', files: ['a.txt', 'b.txt'] }],
    ['upload @e3 ["a.txt"] c.txt', { selector: '@e3', files: ['a.txt', 'c.txt'] }],
    ['evaluate document.title', { expression: 'document.title' }],
    ['evaluate a==1', { expression: 'a==1' }],
    ['evaluate x=1', { expression: 'x=1' }],
    ['evaluate a=>a args=[1,"b"]', { expression: 'a=>a', args: [1, 'b'] }],
    ['evaluate a=>a args=5 args=b', { expression: 'a=>a', args: [5, 'b'] }],
    ['snapshot', {}],
    ['snapshot mode=interactive', { mode: 'interactive' }],
    ['snapshot interactive 3', { mode: 'interactive', depth: 3 }],
    ['snapshot #main', { selector: '#main' }],
    ['scroll down', { direction: 'down' }],
    ['scroll down 500', { direction: 'down', amount: 500 }],
    ['scroll -200 up', { direction: 'up', amount: -200 }],
    ['scroll @e5', { selector: '@e5' }],
    ['tab_switch 2', { tabId: 2 }],
    ['tab_switch index=0', { index: 0 }],
    ['tab_close 3', { tabId: 3 }],
    ['tab_close **/a.html', { url: '**/a.html' }],
    ['tab_close tabId=[1,2]', { tabId: [1, 2] }],
    ['window_new https://h 800 600', { url: 'https://h', width: 800, height: 600 }],
    ['query role button', { by: 'role', value: 'button' }],
    ['dialog accept prompt_text=Ann', { action: 'accept', prompt_text: 'Ann' }],
    ['wait text text=Welcome', { for: 'text', text: 'Welcome' }],
    ['locator [{"method":"first"}] action=click', { chain: [{ method: 'first' }], action: 'click' }],
  ])('%s', (line, args) => {
    const [tool = '', ...words] = line.split(' ');
    expect(read(tool, ...words)).toEqual(args);
  });

  it('keep spaces, lines and every letter', () => {
    expect(read('fill', '@e7', ' two\nlines = "x" 漢 ')).toEqual({ selector: '@e7', value: ' two\nlines = "x" 漢 ' });
    expect(read('fill', '@e7', 'value=a\n=b')).toEqual({ selector: '@e7', value: 'a\n=b' });
  });

  it('that do not fit their type stay text, for the call to say what is wrong', () => {
    expect(read('click', '@e3', 'timeout=soon', 'force=yes')).toEqual({
      selector: '@e3',
      timeout: 'soon',
      force: 'yes',
    });
    expect(read('tab_switch', 'two')).toEqual({ tabId: 'two' });
  });

  it('may be any way to name an element', () => {
    const words = ['ref=e1', 'ref_1', 'xpath=//a', 'css=a', 'text=Save', 'role=link', 'id=x', 'title=x', 'alt=x'];
    const takesElement = LISTED.filter(one => usageOf(one).includes('<selector>') && !hasText(one));
    expect(takesElement.length).toBeGreaterThan(10);
    for (const one of takesElement)
      for (const word of words) expect(Object.values(readArguments(one, [word])), one.tool.name).toEqual([word]);
  });
});

describe('what cannot be meant', () => {
  it.each([
    ['click selctor=@e3', 'click has no argument selctor. Did you mean selector? As text it needs its name: selector='],
    ['fill @e7 timout=5', "Did you mean timeout? As text it needs its name: value='timout=…'."],
    ['navigate https://h timout=5', 'navigate has no argument timout. Did you mean timeout?'],
    ['navigate https://h new-tab=true', 'Did you mean new_tab?'],
    ['click @e3 @e4', 'click: "@e4" is one too many. Usage: tabwright click <selector> [name=value…]'],
    ['title a b', 'title: "b" is one too many. Usage: tabwright title [<tabId>]'],
    ['fill @e7 a value=b', 'fill: "a" is one too many. Usage: tabwright fill <selector> <value> [name=value…]'],
    ['fill @e7 value=a value=b', 'value is given twice.'],
    ['click {"selector":"@e3"} force=true', 'Nothing may follow the JSON object, but "force=true" does.'],
    ['click {"selector":"@e3",}', 'The JSON is broken: unexpected "}" at column 19, after {"selector":"@e3",.'],
    ['navigate {url:"https://h"}', 'The JSON is broken: unexpected "u" at column 2, after {.'],
    ['navigate {"url":"https://h"', 'The JSON is broken: it ends too early.'],
    ['evaluate {a:1}', `Text that starts with { needs its name: expression='{…'.`],
    ['click coordinates={"x":1', 'coordinates is broken: it ends too early.'],
    ['upload @e3 ["a"', 'files is broken: it ends too early.'],
  ])('%s', (line, why) => {
    const [tool = '', ...words] = line.split(' ');
    expect(refused(tool, ...words)).toContain(why);
  });

  it('is found on its line', () => {
    expect(refused('click', '{\n  "selector": "@e3"\n  "force": true\n}')).toContain(
      'unexpected "\\"" at line 3, column 3',
    );
  });
});

describe('a JSON object', () => {
  it('is given as it stands', () => {
    const args = { selector: '@e3', unknown: [1, { a: null }] };
    expect(read('click', JSON.stringify(args))).toEqual(args);
    expect(read('click', '{ }')).toEqual({});
  });
});

describe('every tool', () => {
  it.each(TOOLS.map(tool => [tool.name, tool] as const))('%s has an example that fits it', (name, tool) => {
    const args = readArguments(listed(name), exampleWords(listed(name)));
    expect(() => validate(tool, args)).not.toThrow();
  });
});
