// `tabwright completion`: prints the completion script of bash, zsh or fish, made from the tables of commands, options, tools and clients.
import { ANY_TOOL, COMMANDS, type CommandName, commandNames, commandSpec } from '../../config/commands.ts';
import { suggestion } from '../../config/nearest.ts';
import { flagOf, optionKeys, optionOf } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { LISTED } from '../listing/listed.ts';
import { ALIASES, TOOL_WORDS } from '../listing/tool-words.ts';
import type { Run } from './command.ts';
import { clientNames, HTTP } from './config/clients.ts';

/** The value of a flag, or one word of a command. */
interface CompletedValue {
  /** As --help prints it. */
  shown: string;
  /** The known values; empty when any text is allowed. */
  choices: readonly string[];
  isFile: boolean;
}

interface Flag {
  flag: string;
  help: string;
  /** Absent for a switch. */
  value?: CompletedValue;
}

interface CommandGrammar {
  name: string;
  help: string;
  words: readonly CompletedValue[];
  flags: readonly Flag[];
}

interface Grammar {
  commands: readonly CommandGrammar[];
  /** Flags that every command takes. */
  options: readonly Flag[];
}

/** Values that other tables list, by the placeholder that --help prints, or by the flag. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  TOOL: LISTED.map(({ tool }) => tool.name),
  CLIENT: [...clientNames, HTTP],
  client: clientNames,
  '--tools': ['all', 'core', ...new Set(LISTED.map(({ group }) => group))],
};

function grammar(): Grammar {
  const flagsOf = (name: CommandName) =>
    Object.entries(commandSpec(name).flags ?? {}).map(([flag, { help, value }]) => flagWith(flag, help, value));
  const own = commandNames
    .filter(name => name !== ANY_TOOL)
    .map(name => ({
      name,
      help: COMMANDS[name].help,
      words: (commandSpec(name).words ?? []).map(word => valueFor(word)),
      flags: flagsOf(name),
    }));
  const tools = TOOL_WORDS.map(name => ({ name, help: summaryOf(name), words: [], flags: flagsOf(ANY_TOOL) }));
  const commands = [...own, ...tools];
  const options = optionKeys.flatMap(key => {
    const { kind, help, default: fallback } = optionOf(key);
    // A switch that is on by default is there to be turned off.
    return flagWith(fallback === true ? flagOf(key).replace('--', '--no-') : flagOf(key), help, kind.value);
  });
  return {
    commands,
    options: [...options, flagWith('--help', 'Print the help.'), flagWith('--version', 'Print the version.')],
  };
}

const summaryOf = (word: string): string =>
  LISTED.find(({ tool }) => tool.name === (ALIASES[word] ?? word))?.tool.description ?? '';

const flagWith = (flag: string, help: string, shown?: string): Flag => ({
  flag,
  help,
  ...(shown && { value: valueFor(shown, flag) }),
});

function valueFor(shown: string, flag = ''): CompletedValue {
  const word = shown.replace(/[[\]…]/g, '');
  const choices = CHOICES[flag] ?? CHOICES[word] ?? (word.includes('|') ? word.split('|') : []);
  return { shown: word, choices, isFile: word === 'path' };
}

/** Bash from version 3.2 on. */
const bash = ({ commands, options }: Grammar): string => {
  const flags = [...options, ...commands.flatMap(command => command.flags)];
  const valued = flags.filter(({ value }) => value);
  return `# Completion of tabwright for bash. To have it in every shell: source <(tabwright completion bash)
_tabwright() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= choices= own= place=0 i
  COMPREPLY=()
  # Bash takes --flag=value as three words.
  if [ "$cur" = '=' ]; then cur=; elif [ "$prev" = '=' ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  case $prev in
${valueCases(valued).join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${pattern(valued)}) [ "\${COMP_WORDS[i+1]}" = '=' ] && ((i += 2)) || ((i += 1)) ;;
      -*) ;;
      *) if [ -z "$command" ]; then command=\${COMP_WORDS[i]}; else ((place += 1)); fi ;;
    esac
  done
  case $command:$place in
    :0) choices='${commands.map(({ name }) => name).join(' ')}' ;;
${commands.flatMap(wordCases).join('\n')}
  esac
  case $command in
${commands.filter(hasFlags).map(ownCase).join('\n')}
  esac
  case $cur in
    -*) choices="${options.map(({ flag }) => flag).join(' ')} $own" ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$cur"))
}
complete -F _tabwright tabwright
`;
};

const pattern = (flags: readonly Flag[]): string => flags.map(({ flag }) => flag).join('|');

const hasFlags = ({ flags }: CommandGrammar): boolean => flags.length > 0;

function valueCases(flags: readonly Flag[]): string[] {
  const files = flags.filter(({ value }) => value?.isFile);
  const listed = flags.filter(({ value }) => value?.choices.length);
  return [
    // Lines instead of words, so that spaces in names do no harm.
    `    ${pattern(files)})
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$cur"))
      return ;;`,
    ...listed.map(
      ({ flag, value }) => `    ${flag}) COMPREPLY=($(compgen -W '${value?.choices.join(' ')}' -- "$cur")); return ;;`,
    ),
    `    ${pattern(flags.filter(flag => !files.includes(flag) && !listed.includes(flag)))}) return ;;`,
  ];
}

const wordCases = ({ name, words }: CommandGrammar): string[] =>
  words.flatMap(({ choices }, place) =>
    choices.length ? `    ${name}:${place}) choices='${choices.join(' ')}' ;;` : [],
  );

const ownCase = ({ name, flags }: CommandGrammar): string =>
  `    ${name}) own='${flags.map(({ flag }) => flag).join(' ')}' ;;`;

/** To be sourced, or saved as a file _tabwright in $fpath. */
const zsh = ({ commands, options }: Grammar): string => `#compdef tabwright
# Completion of tabwright for zsh. To have it in every shell, after compinit: source <(tabwright completion zsh)
_tabwright() {
  local context state line
  typeset -A opt_args
  local -a commands options
  commands=(
${commands.map(({ name, help }) => `    ${zshQuote(`${name}:${help}`)}`).join('\n')}
  )
  options=(
${options.map(flag => `    ${zshSpec(flag)}`).join('\n')}
  )
  _arguments -C $options '1:command:->command' '*::word:->words'
  case $state in
    command) _describe command commands ;;
    words)
      case $words[1] in
${commands.map(zshCase).join('\n')}
      esac
      ;;
  esac
}
# In $fpath this file is the body of the function; sourced, it only makes it known.
if [ "$funcstack[1]" = _tabwright ]; then _tabwright "$@"; else compdef _tabwright tabwright; fi
`;

const zshCase = ({ name, words, flags }: CommandGrammar): string => {
  const places = words.map((word, index) => zshQuote(`${index + 1}:${escaped(word.shown)}:${action(word)}`));
  return `        ${name}) ${['_arguments $options', ...flags.map(zshSpec), ...places].join(' ')} ;;`;
};

const zshSpec = ({ flag, help, value }: Flag): string =>
  zshQuote(`${flag}${value ? '=' : ''}[${escaped(help)}]${value ? `:${escaped(value.shown)}:${action(value)}` : ''}`);

function action({ choices, isFile }: CompletedValue): string {
  if (isFile) return '_files';
  return choices.length ? `(${choices.join(' ')})` : ' ';
}

/** Colons and brackets have a meaning within a spec. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

const zshQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const fish = ({ commands, options }: Grammar): string => {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = [
    '# Completion of tabwright for fish. To have it in every shell: tabwright completion fish | source',
    'complete -c tabwright -f',
    ...commands.map(({ name, help }) =>
      fishLine(`not __fish_seen_subcommand_from ${names}`, `-a ${name} -d ${fishQuote(help)}`),
    ),
    ...options.map(flag => fishLine('', fishFlag(flag))),
    ...commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
};

const fishLine = (condition: string, rest: string): string =>
  ['complete -c tabwright', ...(condition ? [`-n ${fishQuote(condition)}`] : []), rest].join(' ');

/** The words of a command are offered until one of them is there. */
const commandLines = ({ name, words, flags }: CommandGrammar): string[] => [
  ...flags.map(flag => fishLine(`__fish_seen_subcommand_from ${name}`, fishFlag(flag))),
  ...words
    .map(({ choices }) => choices.join(' '))
    .filter(Boolean)
    .map(choices =>
      fishLine(
        `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${choices}`,
        `-a ${fishQuote(choices)}`,
      ),
    ),
];

function fishFlag({ flag, help, value }: Flag): string {
  const part = `-l ${flag.slice(2)} -d ${fishQuote(help)}`;
  if (!value) return part;
  if (value.isFile) return `${part} -r -F`;
  return `${part} -x${value.choices.length ? ` -a ${fishQuote(value.choices.join(' '))}` : ''}`;
}

const fishQuote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const SHELLS: ReadonlyMap<string, (grammar: Grammar) => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

export const run: Run = async ({ words: [shell = ''] }) => {
  const script = SHELLS.get(shell);
  if (!script) {
    const hint = suggestion(shell, SHELLS.keys(), `Shells: ${[...SHELLS.keys()].join(', ')}.`);
    throw new Failure('bad_input', `There is no completion for ${shell}.`, hint);
  }
  process.stdout.write(script(grammar()));
  return 0;
};
