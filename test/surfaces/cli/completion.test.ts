// Completion scripts: asked by real shells; those that are not installed are left out.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ANY_TOOL, COMMAND_FLAGS, commandNames } from '../../../src/config/commands.ts';
import { flagOf, optionKeys, optionOf } from '../../../src/config/options.ts';
import { clientNames } from '../../../src/surfaces/cli/config/clients.ts';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import { TOOL_WORDS } from '../../../src/surfaces/listing/tool-words.ts';
import { runIn } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'two words'));
writeFileSync(join(folder, 'two.yaml'), '');

function script(shell: string): string {
  const { stdout, stderr, status } = runIn(folder, ['completion', shell]);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const path = join(folder, shell);
  writeFileSync(path, stdout);
  return path;
}

function shellRun(shell: string, args: string[]): string[] {
  const { stdout, stderr, error } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8', timeout: 20_000 });
  if (error) throw error;
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

const ASK_BASH = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
compopt() { :; }
_tabwright; printf '%s\\n' "\${COMPREPLY[@]}"`;

/** What comes after these words; the last one may be unfinished. */
const ASK: Record<string, (path: string, words: string[]) => string[]> = {
  bash: (path, words) =>
    // Bash hands over --flag=value as three words.
    shellRun('bash', [
      '--norc',
      '-c',
      ASK_BASH,
      'bash',
      path,
      'tabwright',
      ...words.flatMap(word => word.split(/(?<==)|(?==)/)),
    ]),
  fish: (path, words) =>
    shellRun('fish', [
      '--no-config',
      '-c',
      'source $argv[1]; complete -C "$argv[2..]"',
      path,
      'tabwright',
      ...words,
    ]).map(line => line.split('\t')[0] ?? ''),
};

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

const tools = LISTED.map(({ tool }) => tool.name).sort();

describe.each(Object.keys(ASK).filter(isInstalled))('in %s', shell => {
  const path = script(shell);
  const ask = (...words: string[]): string[] => (ASK[shell]?.(path, words) ?? []).sort();

  it('come the commands, the tools, the clients and the shells', () => {
    const own = commandNames.filter(name => name !== ANY_TOOL);
    expect(ask('')).toEqual([...own, ...TOOL_WORDS].sort());
    expect(ask('com')).toEqual(['completion']);
    expect(ask('snap')).toEqual(['snapshot']);
    expect(ask('call', '')).toEqual(tools);
    expect(ask('tools', 'sc')).toEqual(tools.filter(name => name.startsWith('sc')));
    expect(ask('config', '')).toEqual([...clientNames, 'http'].sort());
    expect(ask('config', '--write', '')).toEqual([...clientNames].sort());
    expect(ask('completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });

  it('come every option, and the flags of the command that stands there', () => {
    const flags = optionKeys.map(key =>
      optionOf(key).default === true ? `--no-${flagOf(key).slice(2)}` : flagOf(key),
    );
    expect(ask('--')).toEqual([...flags, '--help', '--version'].sort());
    for (const [flag, { commands }] of COMMAND_FLAGS)
      for (const name of commandNames) {
        const word = name === ANY_TOOL ? 'click' : name;
        expect(ask(word, flag.slice(0, -1)).includes(flag), `${flag} behind ${name}`).toBe(commands.includes(name));
      }
  }, 60_000);

  it('come the values of an option: choices, files, or none', () => {
    expect(ask('--log-level', '')).toEqual(['debug', 'error', 'info', 'warn']);
    expect(ask('--log-level', 'd')).toEqual(['debug']);
    expect(ask('--log-level=d').map(word => word.replace('--log-level=', ''))).toEqual(['debug']);
    expect(ask('--config', 'two').map(name => name.replace(/\/$/, ''))).toEqual(['two words', 'two.yaml']);
    expect(ask('--viewport', '')).toEqual([]);
  });

  it('the value of an option is no command', () => {
    expect(ask('--viewport', '800x600', 'call', 'navi')).toEqual(['navigate']);
    expect(ask('--log-level', 'debug', 'call', '--json', 'navi')).toEqual(['navigate']);
    expect(ask('call', 'navigate', 'navi')).toEqual([]);
  });
});

it.skipIf(!isInstalled('zsh'))('zsh reads its script', () => {
  shellRun('zsh', ['-f', '-n', script('zsh')]);
  const path = script('zsh');
  const known = shellRun('zsh', [
    '-f',
    '-c',
    `autoload -U compinit; compinit -u -D; source '${path}'; print $_comps[tabwright]`,
  ]);
  expect(known).toEqual(['_tabwright']);
});

it('an unknown shell is wrong usage', () => {
  expect(runIn(folder, ['completion', 'zhs'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'tabwright: There is no completion for zhs. Did you mean zsh?\n',
  });
  expect(runIn(folder, ['completion'])).toMatchObject({ status: 2, stdout: '' });
});
