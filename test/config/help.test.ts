// --help: complete and within 100 columns.
import { expect, it } from 'vitest';
import { commandNames, commandSpec } from '../../src/config/commands.ts';
import { commandHelp, help } from '../../src/config/help.ts';
import { flagOf, OPTIONS, optionKeys } from '../../src/config/options.ts';

const text = help('1.2.3');
const flat = text.replace(/\s+/g, ' ');

it('names every option with its meaning', () => {
  for (const key of optionKeys) {
    expect(text).toContain(`  ${flagOf(key)} `);
    expect(flat).toContain(OPTIONS[key].help);
  }
});

it('names every command with its meaning, and each explains itself', () => {
  for (const name of commandNames) {
    const { help: meaning, flags = {}, words = [] } = commandSpec(name);
    expect(text).toContain(`\n  ${[name, ...words].join(' ')} `);
    expect(flat).toContain(meaning);
    const own = commandHelp(name);
    expect(own).toContain(`Usage: tabwright ${name}`);
    for (const [flag, row] of Object.entries(flags))
      expect(own.replace(/\s+/g, ' ')).toContain(`${flag}${row.value ? ` <${row.value}>` : ''} ${row.help}`);
  }
});

it('says how else an option is given', () => {
  expect(flat).toContain('--max-chars is TABWRIGHT_MAX_CHARS and maxChars');
});

it('shows the defaults', () => {
  for (const shown of ['[1280x720]', '[5000]', '[all]', '[warn]']) expect(text).toContain(shown);
});

it('fits a terminal', () => {
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
});

it('aligns the meanings', () => {
  const columns = text.split('\n').flatMap(line => /^ {2}--\S+(?: <.*>)? {2,}/.exec(line)?.[0].length ?? []);
  expect(columns.length).toBeGreaterThan(optionKeys.length);
  expect(new Set(columns).size).toBe(1);
});
