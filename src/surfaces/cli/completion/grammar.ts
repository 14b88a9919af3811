// What can stand on the command line, out of the tables of commands, options, tools and clients.
import { COMMANDS, type CommandName, commandNames, commandSpec } from '../../../config/commands.ts';
import { flagOf, optionKeys, optionOf } from '../../../config/options.ts';
import { LISTED } from '../../listing/listed.ts';
import { clientNames, HTTP } from '../config/clients.ts';

/** What can be said in one place. */
export interface Value {
  /** As --help shows it. */
  shown: string;
  /** Empty when they cannot be told. */
  choices: readonly string[];
  isFile: boolean;
}

export interface Flag {
  flag: string;
  help: string;
  /** Absent for a switch. */
  value?: Value;
}

export interface CommandGrammar {
  name: CommandName;
  help: string;
  words: readonly Value[];
  flags: readonly Flag[];
}

export interface Grammar {
  commands: readonly CommandGrammar[];
  /** Flags that every command takes. */
  options: readonly Flag[];
}

/** The places whose choices stand in other tables, by what --help shows there, or by the flag. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  TOOL: LISTED.map(({ tool }) => tool.name),
  CLIENT: [...clientNames, HTTP],
  client: clientNames,
  '--tools': ['all', 'core', ...new Set(LISTED.map(({ group }) => group))],
};

export function grammar(): Grammar {
  const commands = commandNames.map(name => ({
    name,
    help: COMMANDS[name].help,
    words: (commandSpec(name).words ?? []).map(word => valueIn(word)),
    flags: Object.entries(commandSpec(name).flags ?? {}).map(([flag, { help, value }]) => made(flag, help, value)),
  }));
  const options = optionKeys.flatMap(key => {
    const { kind, help, default: fallback } = optionOf(key);
    // A switch that is on by default is there to be turned off.
    return made(fallback === true ? flagOf(key).replace('--', '--no-') : flagOf(key), help, kind.value);
  });
  return {
    commands,
    options: [...options, made('--help', 'Print the help.'), made('--version', 'Print the version.')],
  };
}

const made = (flag: string, help: string, shown?: string): Flag => ({
  flag,
  help,
  ...(shown && { value: valueIn(shown, flag) }),
});

function valueIn(shown: string, flag = ''): Value {
  const word = shown.replace(/[[\]…]/g, '');
  const choices = CHOICES[flag] ?? CHOICES[word] ?? (word.includes('|') ? word.split('|') : []);
  return { shown: word, choices, isFile: word === 'path' };
}
