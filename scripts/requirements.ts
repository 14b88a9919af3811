// Which requirements no test cites, and which rows about a tool no citing test calls. With --check S1 it fails when one of that group is missing.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Code without its comments: what is only talked about is not tested. */
const codeOf = (text: string): string => text.replace(/^\s*(?:\/\/.*$|\/\*[\s\S]*?\*\/)/gm, '');

/** The ids that the tests below a folder cite: in their names, or in the tables that they run through. */
export async function citedIn(folder: string): Promise<Set<string>> {
  return new Set((await textsIn(folder)).flatMap(text => codeOf(text).match(ID) ?? []));
}

const ID = /\bS\d-\d+\b/g;

async function textsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(names.filter(name => name.endsWith('.ts')).map(name => readFile(join(folder, name), 'utf8')));
}

/** Of a row whose words begin with a tool's name, that name: `chrome_navigate`, `browser.click: …`; tests of the bridge add its prefix elsewhere. */
const toolOf = (words: string): string | undefined =>
  /^(?:[a-z]+[._])?[a-z_]+(?=$|[:,]| passes| and )/.exec(words)?.[0].replace(/^agent_browser_/, '');

/** Rows about a tool that no citing test calls: neither its body, nor its row of a table, nor a function of its file that it uses, has the name. */
export async function uncalledIn(folder: string, ids: Readonly<Record<string, string>>): Promise<string[]> {
  const citations = (await textsIn(folder)).flatMap(citationsIn);
  return Object.entries(ids).flatMap(([id, row]) => {
    const tool = toolOf(row);
    const isCalled = citations.some(cited => cited.id === id && tool !== undefined && cited.words.has(tool));
    return tool === undefined || isCalled ? [] : [`${id} ${row}`];
  });
}

interface Citation {
  id: string;
  words: Set<string>;
}

/** Each id that a file cites, with the words of the code that cites it. Files are formatted: blocks are seen by their indents. */
function citationsIn(text: string): Citation[] {
  const lines = codeOf(text).split('\n');
  const helpers = new Map(lines.flatMap((line, at) => helperAt(lines, line, at)));
  return lines.flatMap((line, at) => {
    const ids = line.match(ID) ?? [];
    if (ids.length === 0) return [];
    const own = wordsOf(blockAt(lines, at).join('\n').replaceAll(TITLE, ''));
    const words = new Set([...own, ...own.flatMap(name => helpers.get(name) ?? [])]);
    return ids.map(id => ({ id, words }));
  });
}

/** A text with an id only mentions. */
const TITLE = /(['"`])S\d-\d+.*?\1/g;

const wordsOf = (code: string): string[] => code.match(/[a-z_]+\.[a-z]+|\w+/g) ?? [];

const helperAt = (lines: string[], line: string, at: number): [name: string, words: string[]][] => {
  const name = /^(?:export )?(?:async )?(?:const|function) (\w+)/.exec(line)?.[1];
  return name === undefined ? [] : [[name, wordsOf(blockAt(lines, at).join('\n'))]];
};

/** The lines of a test, a function or a row of a table that begins in a line, or of the row or test around it. */
function blockAt(lines: string[], at: number): string[] {
  const line = lines[at] ?? '';
  const begins = /^\s*(?:it|test|describe|export|async|const|function|\[|\{)/.test(line);
  const isBehindTable = /^\s*\]\)\(/.test(line);
  const least = indentOf(line) + (begins || isBehindTable ? 1 : 0);
  const belongs = (other: string | undefined) => other === '' || (other !== undefined && indentOf(other) >= least);
  let [from, to] = [at, at];
  while (!begins && from > 0 && belongs(lines[from - 1])) from--;
  while (belongs(lines[to + 1])) to++;
  // The line that opens the block names the table that a test runs through.
  return lines.slice(begins ? from : Math.max(0, from - 1), to + 1);
}

const indentOf = (line: string): number => line.search(/\S|$/);

export interface Report {
  /** `S1-92 What it asks for`, in order. */
  missing: string[];
  /** Cited, but not in the list: a slip of the pen. */
  unknown: string[];
  all: number;
}

export function compare(ids: Readonly<Record<string, string>>, cited: ReadonlySet<string>, group = ''): Report {
  const wanted = Object.entries(ids).filter(([id]) => id.startsWith(group));
  const known = new Set(Object.keys(ids).map(id => id.split('-')[0]));
  return {
    missing: wanted.filter(([id]) => !cited.has(id)).map(([id, words]) => `${id} ${words}`),
    unknown: [...cited].filter(id => known.has(id.split('-')[0]) && !Object.hasOwn(ids, id)).sort(),
    all: wanted.length,
  };
}

async function main(argv: readonly string[]): Promise<number> {
  const isCheck = argv.includes('--check');
  const group = argv.find(word => !word.startsWith('-'));
  const ids = JSON.parse(await readFile('test/requirements/ids.json', 'utf8')) as Record<string, string>;
  const { missing, unknown, all } = compare(ids, await citedIn('test'), group && `${group}-`);
  if (all === 0) {
    console.error(`There are no requirements ${group}.`);
    return 1;
  }
  for (const line of missing) console.log(line);
  for (const id of unknown) console.log(`${id} is cited, but is not in the list`);
  const uncalled = await uncalledIn('test', ids);
  console.log(`${all - missing.length} of ${all} requirements have a test.`);
  console.log(`Rows about a tool whose tests do not call it: ${uncalled.length === 0 ? 'none' : ''}`);
  for (const line of uncalled) console.log(`  ${line}`);
  return isCheck && missing.length + unknown.length + uncalled.length > 0 ? 1 : 0;
}

if (import.meta.filename === process.argv[1]) process.exitCode = await main(process.argv.slice(2));
