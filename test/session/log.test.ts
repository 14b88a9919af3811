// The log: levels, and one line per message.
import { expect, it } from 'vitest';
import { filteredLog, LEVELS, makeLog } from '../../src/config/log.ts';
import { finderOf } from '../../src/policy/secrets/secret-forms.ts';
import { TextMask } from '../../src/policy/secrets/text-mask.ts';

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

it('15.3 shows no secret that was used, in messages and facts', () => {
  const lines: string[] = [];
  const mask = new TextMask([{ name: 'shop', find: finderOf('correct horse') }]);
  const log = filteredLog(
    makeLog('info', line => lines.push(line), 'json'),
    value => mask.data(value),
  );
  log.info('no answer from http://site/?pw=correct+horse', { url: ['correct horse'] });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    message: 'no answer from http://site/?pw=[secret shop]',
    url: ['[secret shop]'],
  });
});
