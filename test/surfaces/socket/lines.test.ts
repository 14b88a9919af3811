// Many commands over one connection: files of steps, the prompt and its history; and a server of `tabwright serve` that commands find.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/errors.ts';
import { splitWords } from '../../../src/surfaces/cli/shell/split-words.ts';
import { startServe } from '../cli/command.ts';
import { page, Shell } from './shell.ts';

const shell = new Shell();
afterAll(() => shell.end());

const FORM = page('<title>Form</title><input aria-label=Name><input type=password aria-label=Key>');

describe('words of a line', () => {
  it.each<[string, string[]]>([
    ['fill @e7 "Ann O\'Neil"', ['fill', '@e7', "Ann O'Neil"]],
    [`eval '1 + "2"'`, ['eval', '1 + "2"']],
    ['  title  # which one', ['title']],
    ['open https://h/#part', ['open', 'https://h/#part']],
    ['fill @e7 ""', ['fill', '@e7', '']],
    ['fill @e7 a\\ b"c d"', ['fill', '@e7', 'a bc d']],
    ['# nothing', []],
    ['', []],
  ])('%s', (line, words) => expect(splitWords(line)).toEqual(words));

  it('a quote that is not closed is wrong', () => {
    expect(() => splitWords('fill @e7 "Ann')).toThrow(Failure);
  });
});

describe('run', () => {
  it('takes a file, and goes on where the last line ended', async () => {
    writeFileSync(
      join(shell.folder.path, 'steps.txt'),
      `# a form\nopen "${FORM}"\n\nfill label:Name "Ann B"\neval document.querySelector("input").value\n`.replace(
        'document.querySelector("input").value',
        `'document.querySelector("input").value'`,
      ),
    );
    expect(await shell.run(['run', 'steps.txt'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Opened .*\nFilled .*\nAnn B\n$/),
    });
  });

  it('stops at the first line that fails, and says which', async () => {
    const input = 'title\nclick @e99\ntitle\n';
    const { code, stdout, stderr } = await shell.run(['run', '-'], { input });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'Form\n' });
    expect(stderr).toMatch(/^@e99 was never given out[\s\S]*\ntabwright: stdin, line 2 failed: click @e99\n$/);
  });

  it('says the line of a word that is wrong', async () => {
    expect(await shell.run(['run', '-'], { input: 'title\nclik @e1\n' })).toMatchObject({
      code: 2,
      stderr: 'tabwright: stdin, line 2: Unknown command clik. Did you mean click? See tabwright --help\n',
    });
    expect(await shell.run(['run', '-'], { input: 'serve\n' })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/line 1: serve is no tool/),
    });
    expect(await shell.run(['run', 'none.txt'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/none\.txt cannot be read: ENOENT/),
    });
  });

  it('takes sessions, for all lines or one', async () => {
    const input = `open "${page('<title>Other</title>')}"\ntitle -s default\ntitle --json\n`;
    const { stdout } = await shell.run(['run', '-', '-s', 'other'], { input });
    expect(stdout).toMatch(/^Opened .*\nForm\n\{\n {2}"success": true[\s\S]*Other/);
  });
});

it('repl runs lines, and keeps no typed text in its history', async () => {
  const input = `title\nfill label:Key hunter2\nclik\nfill label:Name "hunter3"\nurl\nexit\n`;
  const { code, stdout, stderr } = await shell.run(['repl'], { input });
  expect(code).toBe(0);
  expect(stdout).toContain('Form');
  expect(stderr).toContain('Did you mean click?');
  const file = join(shell.stateDir, 'history');
  expect(readFileSync(file, 'utf8')).toBe('title\nurl\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('commands use the server of serve while it runs', async () => {
  const other = new Shell();
  const serve = await startServe(other.stateDir);
  await other.out('open', page('<title>Served</title>'));
  expect(JSON.parse(await other.out('status', '--json')).data.pid).toBe(serve.running.pid);
  expect(other.pid()).toBeUndefined();
  expect(await other.out('call', 'title')).toBe('Served\n');
  expect(await other.run(['stop'])).toMatchObject({ stdout: expect.stringContaining('One of tabwright serve does') });
  await serve.stop();
  expect(await other.run(['title'])).toMatchObject({ code: 0, stderr: '' });
  expect(other.pid()).toBeGreaterThan(0);
  await other.end();
});
