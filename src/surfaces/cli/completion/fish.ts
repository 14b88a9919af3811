// The completion script of fish.
import type { CommandGrammar, Flag, Grammar } from './grammar.ts';

export const fish = ({ commands, options }: Grammar): string => {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = [
    '# Completion of tabwright for fish. To have it in every shell: tabwright completion fish | source',
    'complete -c tabwright -f',
    ...commands.map(({ name, help }) =>
      line(`not __fish_seen_subcommand_from ${names}`, `-a ${name} -d ${quoted(help)}`),
    ),
    ...options.map(flag => line('', flagPart(flag))),
    ...commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
};

const line = (condition: string, rest: string): string =>
  ['complete -c tabwright', ...(condition ? [`-n ${quoted(condition)}`] : []), rest].join(' ');

/** The words of a command are offered until one of them is there. */
const commandLines = ({ name, words, flags }: CommandGrammar): string[] => [
  ...flags.map(flag => line(`__fish_seen_subcommand_from ${name}`, flagPart(flag))),
  ...words
    .map(({ choices }) => choices.join(' '))
    .filter(Boolean)
    .map(choices =>
      line(
        `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${choices}`,
        `-a ${quoted(choices)}`,
      ),
    ),
];

function flagPart({ flag, help, value }: Flag): string {
  const part = `-l ${flag.slice(2)} -d ${quoted(help)}`;
  if (!value) return part;
  if (value.isFile) return `${part} -r -F`;
  return `${part} -x${value.choices.length ? ` -a ${quoted(value.choices.join(' '))}` : ''}`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
