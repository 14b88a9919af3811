// The passthrough: a command line that a caller wrote, checked word by word before it is run.
import { Failure } from '../errors.ts';
import { checkUrl } from '../policy/urls.ts';
import { isFlag } from './argument-kinds.ts';
import { parseJson } from './cli/output.ts';
import {
  ALLOWED_ROOT_COMMANDS,
  FILE_FLAGS,
  FLAGS,
  OPTIONAL_ROOT_COMMANDS,
  REST_KINDS,
  SUBCOMMANDS,
  TYPED_FLAGS,
  WORD_KINDS,
  type WordKind,
} from './commands.ts';
import { BATCH_LIMIT } from './constants.ts';
import type { Files } from './files.ts';

export interface CheckedCommand {
  argv: string[];
  stdin?: string;
}

/** The command line to run, with whole urls and paths; or a Failure that names the rule. */
export async function checkCommand(
  argv: readonly string[],
  files: Files,
  allowed: readonly string[],
): Promise<CheckedCommand> {
  const [root = ''] = argv;
  checkRoot(root, allowed);
  const words = wordsOf(argv);
  checkSubcommand(root, words[1]?.text);
  if (root === 'batch') return checkBatch(argv, words, files, allowed);
  const checked = [...argv];
  for (const { text, at, kind } of words) if (kind) checked[at] = await CHECKS[kind](text, files);
  return { argv: checked };
}

const CHECKS: Record<WordKind, (text: string, files: Files) => string | Promise<string>> = {
  url: text => checkUrl(text),
  read: (text, files) => files.readable(text),
  write: (text, files) => files.writable(text),
};

function checkRoot(root: string, allowed: readonly string[]): void {
  if (ALLOWED_ROOT_COMMANDS.includes(root) || allowed.includes(root)) return;
  const hint = OPTIONAL_ROOT_COMMANDS.includes(root)
    ? `It may change the machine; whoever runs the server can allow it with --allow-commands ${root}.`
    : `Allowed: ${[...ALLOWED_ROOT_COMMANDS, ...allowed].join(', ')}.`;
  throw refused(`the command ${quote(root)} is not allowed`, hint);
}

function checkSubcommand(root: string, sub: string | undefined): void {
  const known = SUBCOMMANDS[root];
  if (known && !known.includes(sub ?? ''))
    throw refused(
      `${root} ${sub ?? 'alone'} is not allowed`,
      `Allowed: ${known.map(one => `${root} ${one}`).join(', ')}.`,
    );
}

interface Word {
  text: string;
  at: number;
  kind?: WordKind | undefined;
}

/** The words of a command line and what they name. Throws for a flag that is not allowed. */
function wordsOf(argv: readonly string[]): Word[] {
  const words: Word[] = [];
  const values: Word[] = [];
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at] ?? '';
    if (!isFlag(text)) words.push({ text, at });
    else if (takesValue(text) && at + 1 < argv.length)
      values.push({ text: argv[++at] ?? '', at, kind: FILE_FLAGS[text] });
  }
  for (const { text } of values) if (isFlag(text)) takesValue(text);
  const [root = '', sub = ''] = words.map(({ text }) => text);
  const kinds = WORD_KINDS[`${root} ${sub}`] ?? WORD_KINDS[root];
  const rest = REST_KINDS[root];
  const named = words.map((word, index) => ({
    ...word,
    kind: kinds?.[index] ?? (rest && index >= rest.from ? rest.kind : pictureIn(root, word.text, index)),
  }));
  return [...named, ...values];
}

/** screenshot takes a selector, a path or both, and distinguishes them by their form. */
const pictureIn = (root: string, text: string, index: number): WordKind | undefined =>
  root === 'screenshot' && index > 0 && /[\\/]|\.(?:png|jpe?g|webp)$/i.test(text) ? 'write' : undefined;

function takesValue(flag: string): boolean {
  const takes = FLAGS[flag];
  if (takes !== undefined) return takes;
  const typed = TYPED_FLAGS[flag];
  throw refused(
    `the flag ${quote(flag)} is not allowed in argv`,
    typed ? `Give the argument ${typed} instead.` : `Allowed: ${Object.keys(FLAGS).join(', ')}.`,
  );
}

/** The commands go in by stdin, each word on its own, so that nothing is taken apart a second time. */
async function checkBatch(
  argv: readonly string[],
  words: Word[],
  files: Files,
  allowed: readonly string[],
): Promise<CheckedCommand> {
  const inner = words.slice(1).map(({ text }) => splitWords(text));
  if (inner.length === 0 || inner.length > BATCH_LIMIT)
    throw refused(`batch takes 1 to ${BATCH_LIMIT} commands`, 'Each is one item of argv, such as "click @e2".');
  const commands: string[][] = [];
  for (const words of inner) {
    if (words[0] === 'batch') throw refused('a batch inside a batch is not allowed', 'Write its commands one by one.');
    commands.push((await checkCommand(words, files, allowed)).argv);
  }
  return { argv: argv.filter(word => word === 'batch' || isFlag(word)), stdin: JSON.stringify(commands) };
}

const refused = (what: string, hint: string): Failure =>
  new Failure('refused', `Refused: ${what}. Rule "only commands and flags that act on pages".`, hint);

const quote = (text: string): string => JSON.stringify(text.slice(0, 60));

const PIECE = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)/gs;

/** The words of one command in a batch: a JSON list, or words with quotes as in a shell. */
export function splitWords(text: string): string[] {
  if (text.trimStart().startsWith('[')) return listed(text);
  const words: string[] = [];
  let open = false;
  let end = 0;
  for (const piece of text.matchAll(PIECE)) {
    if (piece.index !== end) break;
    end += piece[0].length;
    const [, double, single, escaped, plain] = piece;
    const part = double?.replace(/\\(.)/gs, '$1') ?? single ?? escaped ?? plain;
    if (part === undefined) open = false;
    else if (open) words.push(`${words.pop()}${part}`);
    else words.push(part);
    open = part !== undefined;
  }
  if (end !== text.length) throw unreadable(text, 'a quote is not closed');
  if (words.length === 0) throw unreadable(text, 'it is empty');
  return words;
}

function listed(text: string): string[] {
  const value = parseJson(text);
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')) return value;
  throw unreadable(text, 'it is no list of texts');
}

const unreadable = (text: string, why: string): Failure =>
  new Failure('bad_input', `The command ${JSON.stringify(text.slice(0, 60))} of the batch cannot be read: ${why}.`);
