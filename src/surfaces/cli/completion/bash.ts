// The completion script of bash, from version 3.2 on.
import type { CommandGrammar, Flag, Grammar } from './grammar.ts';

export const bash = ({ commands, options }: Grammar): string => {
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
