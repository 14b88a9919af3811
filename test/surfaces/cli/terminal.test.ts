// Colours: only on a terminal, unless the environment says otherwise.
import { expect, it } from 'vitest';
import { paint } from '../../../src/surfaces/cli/output/terminal.ts';

it.each([
  [true, {}, true],
  [false, {}, false],
  [undefined, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('terminal %s with %j: colours %s', (isTTY, env, coloured) => {
  const { bold, red } = paint({ isTTY }, env);
  expect(red('x')).toBe(coloured ? '\u001b[31mx\u001b[39m' : 'x');
  expect(bold('x')).toBe(coloured ? '\u001b[1mx\u001b[22m' : 'x');
});
