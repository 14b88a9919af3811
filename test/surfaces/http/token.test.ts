// The token file: made once, read again, and refused when others could read it.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openToken } from '../../../src/surfaces/http/auth/tokens.ts';
import { temporaryFolder } from '../process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

let count = 0;
const fresh = () => join(folder.path, String(++count), 'deep', 'token');

function written(text: string, mode = 0o600): string {
  const file = join(folder.path, `written-${++count}`);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const failure = (file: string) => {
  try {
    openToken(file);
  } catch (error) {
    return error;
  }
  throw new Error('should have failed');
};

it('is made the first time, for its owner only, and stays', () => {
  const file = fresh();
  const token = openToken(file);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  expect(openToken(file)).toBe(token);
  expect(readdirSync(join(file, '..'))).toEqual(['token']);
});

it('differs from file to file', () => {
  expect(openToken(fresh())).not.toBe(openToken(fresh()));
});

it('may be chosen by the user', () => {
  expect(openToken(written('  my-own-long-token \n'))).toBe('my-own-long-token');
});

describe('is refused', () => {
  it.each([0o640, 0o604, 0o666, 0o620])('with mode %o', mode => {
    const file = written('a-good-long-token', mode);
    expect(failure(file)).toMatchObject({ code: 'file_error', hint: `Run: chmod 600 ${file}` });
  });

  it.each(['', 'short', 'fifteen-letters', 'two words that are long'])('when it says %j', text => {
    expect(failure(written(text))).toMatchObject({ code: 'file_error', message: expect.stringContaining('16') });
  });

  it('when it is a folder', () => {
    const path = join(folder.path, 'folder');
    mkdirSync(path, { mode: 0o700 });
    expect(failure(path)).toMatchObject({ code: 'file_error', hint: expect.stringContaining('--token-file') });
  });

  it('when its folder cannot be made', () => {
    const file = join(written('a file'), 'state', 'token');
    expect(failure(file)).toMatchObject({ code: 'file_error', hint: expect.stringContaining('--state-dir') });
    expect(existsSync(file)).toBe(false);
  });
});
