// The completion script of zsh: to be sourced, or kept as a file _tabwright in $fpath.
import type { CommandGrammar, Flag, Grammar, Value } from './grammar.ts';

export const zsh = ({ commands, options }: Grammar): string => `#compdef tabwright
# Completion of tabwright for zsh. To have it in every shell, after compinit: source <(tabwright completion zsh)
_tabwright() {
  local context state line
  typeset -A opt_args
  local -a commands options
  commands=(
${commands.map(({ name, help }) => `    ${quoted(`${name}:${help}`)}`).join('\n')}
  )
  options=(
${options.map(flag => `    ${spec(flag)}`).join('\n')}
  )
  _arguments -C $options '1:command:->command' '*::word:->words'
  case $state in
    command) _describe command commands ;;
    words)
      case $words[1] in
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}
# In $fpath this file is the body of the function; sourced, it only makes it known.
if [ "$funcstack[1]" = _tabwright ]; then _tabwright "$@"; else compdef _tabwright tabwright; fi
`;

const commandCase = ({ name, words, flags }: CommandGrammar): string => {
  const places = words.map((word, index) => quoted(`${index + 1}:${escaped(word.shown)}:${action(word)}`));
  return `        ${name}) ${['_arguments $options', ...flags.map(spec), ...places].join(' ')} ;;`;
};

const spec = ({ flag, help, value }: Flag): string =>
  quoted(`${flag}${value ? '=' : ''}[${escaped(help)}]${value ? `:${escaped(value.shown)}:${action(value)}` : ''}`);

function action({ choices, isFile }: Value): string {
  if (isFile) return '_files';
  return choices.length ? `(${choices.join(' ')})` : ' ';
}

/** Within a spec, colons and brackets have a meaning. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
