// `tabwright skills`: the text of the skill that belongs to this version.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suggestion } from '../../../config/nearest.ts';
import { Failure } from '../../../errors.ts';
import type { Run } from '../command.ts';
import { print } from '../output/terminal.ts';

export const run: Run = async ({ words: [name] }) => {
  process.stdout.on('error', () => undefined); // a reader such as head may have seen enough
  if (name === undefined) {
    print(textOf('SKILL.md'));
    return 0;
  }
  const names = readdirSync(fileIn('references')).map(file => file.replace(/\.md$/, ''));
  if (!names.includes(name))
    throw new Failure(
      'bad_input',
      `There is no reference ${name}.`,
      suggestion(name, names, `References: ${names.join(', ')}.`),
    );
  print(textOf(`references/${name}.md`));
  return 0;
};

/** The package has the folder beside the bundle. */
const fileIn = (path: string): string => fileURLToPath(new URL(`../../skills/tabwright/${path}`, import.meta.url));

const textOf = (path: string): string => readFileSync(fileIn(path), 'utf8').trimEnd();
