// The log: levels, and one line per message.
import { expect, it } from 'vitest';
import { LEVELS, makeLog } from '../../src/config/log.ts';

it.each(LEVELS)('at %s writes that level and those before it', level => {
  const lines: string[] = [];
  const log = makeLog(level, line => lines.push(line));
  for (const own of LEVELS) log[own]('x');
  expect(lines).toEqual(LEVELS.slice(0, LEVELS.indexOf(level) + 1).map(own => `[${own}] x\n`));
});

it('keeps a message on one line', () => {
  const lines: string[] = [];
  makeLog('debug', line => lines.push(line)).debug('Error: no\n    at a\r\n    at b\n');
  expect(lines).toEqual(['[debug] Error: no | at a | at b\n']);
});
