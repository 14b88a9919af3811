// The passthrough: which commands, flags, urls and files may stand in argv (S0-37 to S0-44), also inside a batch.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ALLOWED_ROOT_COMMANDS,
  FILE_FLAGS,
  FLAGS,
  OPTIONAL_ROOT_COMMANDS,
  REST_KINDS,
  SUBCOMMANDS,
  TYPED_FLAGS,
  WORD_KINDS,
} from '../../src/bridge/commands.ts';
import { filesBelow } from '../../src/bridge/files.ts';
import { checkCommand, splitWords } from '../../src/bridge/passthrough.ts';
import { stubKit } from './kit.ts';

const kit = stubKit();
afterAll(() => kit.remove());
const check = (argv: string[], allowed: string[] = []) => checkCommand(argv, filesBelow([kit.folder]), allowed);

describe('the allowed commands', () => {
  it('S0-39 S0-40 S0-41 S0-42 S0-43 are these', () => {
    expect([...ALLOWED_ROOT_COMMANDS].sort().join(' ')).toBe(
      'a11y back batch check click clipboard close connect console cookies dblclick dialog diff download drag errors eval exit fill find focus forward frame get goto highlight hover is key keyboard keydown keyup mouse navigate network open pdf press profiler profiles pushstate quit read record reload screenshot scroll scrollinto scrollintoview select session set skills snapshot state storage swipe tab tap trace type uncheck upload vitals wait webmcp window',
    );
  });

  it('S0-43 leave out all that changes the machine, the rules or the network', () => {
    const kept = [
      'install',
      'upgrade',
      'plugin',
      'mcp',
      'dashboard',
      'chat',
      'auth',
      'device',
      'stream',
      'confirm',
      'deny',
    ];
    for (const root of kept) expect(ALLOWED_ROOT_COMMANDS).not.toContain(root);
    expect(OPTIONAL_ROOT_COMMANDS).not.toContain('mcp');
  });

  it('S0-40 hold all that the origin had', () => {
    const origin =
      'open back forward reload close snapshot click dblclick focus fill type press keydown keyup hover check uncheck upload get find set connect tab session';
    expect(ALLOWED_ROOT_COMMANDS).toEqual(expect.arrayContaining(origin.split(' ')));
  });

  it('S0-39 are in no list twice, and other tables name only them', () => {
    const all = [...ALLOWED_ROOT_COMMANDS, ...OPTIONAL_ROOT_COMMANDS];
    expect(new Set(all).size).toBe(all.length);
    for (const name of [...Object.keys(WORD_KINDS), ...Object.keys(REST_KINDS), ...Object.keys(SUBCOMMANDS)])
      expect(ALLOWED_ROOT_COMMANDS).toContain(name.split(' ')[0]);
    for (const flag of Object.keys(FILE_FLAGS)) expect(FLAGS[flag]).toBe(true);
  });

  it.each([
    'install',
    'mcp',
    'rm',
    '',
    'OPEN',
    ' open',
    'open ',
    '-i',
    '--json',
    '../open',
    'constructor',
    '__proto__',
  ])('S0-38 %j is refused', root =>
    expect(check([root, 'x'])).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(JSON.stringify(root)),
    }),
  );

  it('S0-43 may be more when the operator says so', async () => {
    await expect(check(['auth', 'list'])).rejects.toMatchObject({
      hint: expect.stringContaining('--allow-commands auth'),
    });
    expect(await check(['auth', 'list'], ['auth'])).toEqual({ argv: ['auth', 'list'] });
  });

  it.each([['state', 'clear'], ['state', 'clean', '--older-than', '1'], ['state'], ['state', '-i', 'clear']])(
    'S0-43 of state leave out what deletes: %j %j',
    (...argv) => expect(check(argv.filter(word => word !== undefined))).rejects.toThrow(/not allowed/),
  );
});

describe('flags in argv', () => {
  it.each([
    ...[
      '--executable-path',
      '--args',
      '--config',
      '--allowed-domains',
      '--action-policy',
      '--proxy',
      '--profile',
      '--state',
    ],
    ...[
      '--extension',
      '--init-script',
      '--provider',
      '-p',
      '--cdp',
      '--session',
      '--json',
      '--headed',
      '--debug',
      '--namespace',
    ],
    ...[
      '--screenshot-dir',
      '--download-path',
      '--ca-cert',
      '--allow-file-access',
      '--engine',
      '--auto-connect',
      '--stdin',
      '--curl',
    ],
    ...['--executable-path=/x', '--help', '-h', '--version', '-V', '--unknown', '--params'],
  ])('S0-44 %s is refused', flag =>
    expect(check(['click', '@e1', flag, '/bin/x'])).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(flag),
    }),
  );

  it.each(Object.entries(TYPED_FLAGS))('S0-44 %s has an argument instead: %s', (flag, argument) =>
    expect(check(['open', 'a.example', flag, 'x'])).rejects.toMatchObject({ hint: expect.stringContaining(argument) }),
  );

  it('S0-44 are refused as values of other flags too', () =>
    expect(check(['find', 'role', 'button', 'click', '--name', '--executable-path', '/x'])).rejects.toThrow(
      /executable-path/,
    ));

  it('S0-37 that act on the page are passed on', async () => {
    const argv = ['snapshot', '-i', '-c', '-d', '3', '-s', '#main'];
    expect(await check(argv)).toEqual({ argv });
    const find = ['find', 'role', 'button', 'click', '--name', 'Save', '--exact'];
    expect(await check(find)).toEqual({ argv: find });
  });
});

describe('urls in argv', () => {
  it.each([
    [['open', 'file:///etc/passwd']],
    [['goto', 'javascript:alert(1)']],
    [['tab', 'new', 'file:///etc/passwd']],
    [['diff', 'url', 'https://a.example', 'file:///b']],
    [['read', 'file:///etc/passwd']],
    [['vitals', '--timeout', '5', 'chrome://version']],
  ])('S0-44 %j is refused', argv => expect(check(argv)).rejects.toMatchObject({ code: 'refused' }));

  it('S0-37 are written out', async () => {
    expect(await check(['open', 'a.example', '--headers', '{}'])).toEqual({
      argv: ['open', 'https://a.example', '--headers', '{}'],
    });
  });
});

describe('files in argv', () => {
  it.each([
    [['pdf', '/tmp/x.pdf']],
    [['pdf', '../x.pdf']],
    [['screenshot', '/tmp/x.png']],
    [['screenshot', '--full', '../x.png']],
    [['screenshot', '#a', 'C:\\x.png']],
    [['download', '@e1', '/tmp/x']],
    [['upload', '@e1', '/etc/hostname']],
    [['upload', '@e1', 'a.txt', '/etc/hostname']],
    [['state', 'save', '/tmp/x']],
    [['state', 'load', '/etc/passwd']],
    [['trace', 'stop', '/tmp/x']],
    [['record', 'start', '/tmp/x.webm']],
    [['network', 'har', 'stop', '/tmp/x.har']],
    [['diff', 'screenshot', '--baseline', '/etc/hostname']],
    [['diff', 'screenshot', '--output', '/tmp/x.png']],
  ])('S0-44 %j is refused', argv => {
    writeFileSync(join(kit.folder, 'a.txt'), 'a');
    return expect(check(argv)).rejects.toMatchObject({ code: 'refused' });
  });

  it('15.1 a hidden file of the working folder, which may be the home folder, is not read', async () => {
    mkdirSync(join(kit.folder, '.ssh'), { recursive: true });
    writeFileSync(join(kit.folder, '.ssh', 'id_rsa'), 'a key');
    symlinkSync(join(kit.folder, '.ssh'), join(kit.folder, 'keys'));
    for (const path of ['.ssh/id_rsa', join(kit.folder, '.ssh', 'id_rsa'), 'keys/id_rsa'])
      for (const argv of [
        ['upload', '@e1', path],
        ['state', 'load', path],
      ])
        await expect(check(argv)).rejects.toMatchObject({ code: 'refused' });
  });

  it('S0-37 become whole paths, since the daemon runs elsewhere', async () => {
    mkdirSync(join(kit.folder, 'in'), { recursive: true });
    writeFileSync(join(kit.folder, 'in', 'a.txt'), 'a');
    const at = (...names: string[]) => join(kit.folder, ...names);
    expect(await check(['upload', '#f', 'in/a.txt'])).toEqual({ argv: ['upload', '#f', at('in', 'a.txt')] });
    expect(await check(['pdf', 'out/p.pdf'])).toEqual({ argv: ['pdf', at('out', 'p.pdf')] });
    expect(await check(['screenshot', '#a', 's.png'])).toEqual({ argv: ['screenshot', '#a', at('s.png')] });
    expect(await check(['screenshot', '#a'])).toEqual({ argv: ['screenshot', '#a'] });
  });
});

describe('a batch', () => {
  it('S0-43 goes in by stdin, word by word', async () => {
    const { argv, stdin } = await check([
      'batch',
      '--bail',
      'open a.example',
      'fill @e1 "two words"',
      '["click","@e2"]',
    ]);
    expect(argv).toEqual(['batch', '--bail']);
    expect(JSON.parse(stdin ?? '')).toEqual([
      ['open', 'https://a.example'],
      ['fill', '@e1', 'two words'],
      ['click', '@e2'],
    ]);
  });

  it.each([
    ['install'],
    ['["install"]'],
    ['"install" --with-deps'],
    ["'inst'all"],
    ['open a.example --executable-path /x'],
    ['open file:///etc/passwd'],
    ['state clear'],
    ['pdf /tmp/x.pdf'],
    ['batch "install"'],
    ['fill @e1 "not closed'],
    ['   '],
    ['["open", 1]'],
    ['[]'],
  ])('S0-43 with %j inside is refused', inner =>
    expect(check(['batch', 'click @e1', inner])).rejects.toMatchObject({
      code: expect.stringMatching(/refused|bad_input/),
    }),
  );

  it('S0-43 has some commands, and not too many', async () => {
    await expect(check(['batch'])).rejects.toThrow(/1 to 50/);
    await expect(check(['batch', ...Array(51).fill('click @e1')])).rejects.toThrow(/1 to 50/);
  });
});

describe('the words of a command', () => {
  it.each([
    ['a b  c', ['a', 'b', 'c']],
    ['a "b c" d', ['a', 'b c', 'd']],
    ["a 'b \"c' d", ['a', 'b "c', 'd']],
    ['a"b"\'c\'', ['abc']],
    ['a\\ b', ['a b']],
    ['fill @e1 ""', ['fill', '@e1', '']],
    ['"a\\"b"', ['a"b']],
    [' a\n\tb ', ['a', 'b']],
  ])('S0-43 %j are %j', (text, words) => expect(splitWords(text)).toEqual(words));

  it.each(['"', "'", '\\', 'a "b'])('S0-43 %j have no end', text =>
    expect(() => splitWords(text)).toThrow(/not closed/),
  );
});
