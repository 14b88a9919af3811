// `tabwright completion`: prints the completion script of a shell.
import { nearest } from '../../../config/nearest.ts';
import { Failure } from '../../../errors.ts';
import type { Run } from '../command.ts';
import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { type Grammar, grammar } from './grammar.ts';
import { zsh } from './zsh.ts';

const SHELLS: ReadonlyMap<string, (grammar: Grammar) => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

export const run: Run = async ({ words: [shell = ''] }) => {
  const script = SHELLS.get(shell);
  if (!script) {
    const [close] = nearest(shell, SHELLS.keys());
    const hint = close ? `Did you mean ${close}?` : `Shells: ${[...SHELLS.keys()].join(', ')}.`;
    throw new Failure('bad_input', `There is no completion for ${shell}.`, hint);
  }
  process.stdout.write(script(grammar()));
  return 0;
};
