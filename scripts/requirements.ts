// Which requirements no test cites. With --check S1 it fails when one of that group is missing.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Code without its comments: what is only talked about is not tested. */
const codeOf = (text: string): string => text.replace(/^\s*(?:\/\/.*$|\/\*[\s\S]*?\*\/)/gm, '');

/** The ids that the tests below a folder cite: in their names, or in the tables that they run through. */
export async function citedIn(folder: string): Promise<Set<string>> {
  const names = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    names.filter(name => name.endsWith('.ts')).map(name => readFile(join(folder, name), 'utf8')),
  );
  return new Set(texts.flatMap(text => codeOf(text).match(/\bS\d-\d+\b/g) ?? []));
}

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
  console.log(`${all - missing.length} of ${all} requirements have a test.`);
  return isCheck && missing.length + unknown.length > 0 ? 1 : 0;
}

if (import.meta.filename === process.argv[1]) process.exitCode = await main(process.argv.slice(2));
