// The policy file: which calls are allowed, refused or asked about. Read whole, or the server does not start.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, resolve } from 'node:path';
import { briefJson, fileFailure, type NamedFile, readEntries, readTables, type TableOf } from '../config/document.ts';
import { currentEnvironment, type Environment } from '../config/environment.ts';
import type { FileEntry } from '../config/formats/entry.ts';
import { choice, type OptionKind, readNative } from '../config/kinds.ts';
import { suggestion } from '../config/nearest.ts';
import { Failure } from '../errors.ts';
import {
  compilePolicy,
  EFFECTS,
  type Effect,
  type Policy,
  type PolicyVerdict,
  type RuleText,
  VERDICTS,
} from '../policy/decide.ts';
import { compilePatterns } from '../policy/patterns.ts';
import { strangeTool } from './listing/tool-glob.ts';

/** One text or a list of them, each of which must be good. */
const several = <T extends string>(
  expected: string,
  read: (text: string, place: Environment) => T[] | undefined,
): OptionKind<T[]> => ({
  expected,
  read,
  native: value => (Array.isArray(value) && value.length > 0 && value.every(isText) ? value : undefined),
});

const isText = (value: unknown): value is string => typeof value === 'string';

const SHAPE = {
  name: {
    expected: 'a name of at most 100 characters, on one line',
    read: text => (/^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text) ? text : undefined),
  } as OptionKind<string>,
  decision: choice(VERDICTS),
  tool: several('a tool or a list of them, such as evaluate or [click, "storage*"]', text =>
    /^[a-z0-9_*]{1,64}$/.test(text) ? [text] : undefined,
  ),
  effect: several<Effect>(`one or a list of ${EFFECTS.join(', ')}`, text => {
    const effect = EFFECTS.find(one => one === text);
    return effect && [effect];
  }),
  caller: several('the id of a caller or a list of them, such as local or "ci-*"', text =>
    /^[\w.*-]{1,64}$/.test(text) ? [text] : undefined,
  ),
  url: several('a pattern or a list of them, such as *.example.com, https://example.com/app/** or ^https://', text =>
    isPattern(text) ? [text] : undefined,
  ),
  path: several('an absolute path or a list of them, such as /data/** or ~/secret/*', spellings),
};

/** A mistake is a Failure that names file, line and key. */
export async function readPolicy(path: string, place: Environment = currentEnvironment()): Promise<Policy> {
  const file: NamedFile = { path, name: path, what: 'policy file' };
  const { default: fallback, rules } = topOf(await readEntries(file), file);
  const name = basename(path);
  const otherwise = { name: `default of ${name}`, decision: fallback ? verdictOf(fallback, file) : 'allow' } as const;
  const rows = rules ? readTables(rules, SHAPE, file, { ...place, cwd: dirname(path) }) : [];
  const texts = rows.map((row, index) => ruleOf(rows, row, index, rules as FileEntry, file));
  return compilePolicy({ rules: texts, otherwise }, place.platform);
}

const KEYS = ['default', 'rules'] as const;

function topOf(entries: readonly FileEntry[], file: NamedFile): Partial<Record<(typeof KEYS)[number], FileEntry>> {
  if (entries.length === 0)
    throw new Failure(
      'bad_input',
      `The policy file ${file.name} says nothing.`,
      `It has the keys ${KEYS.join(' and ')}.`,
    );
  const found: Partial<Record<(typeof KEYS)[number], FileEntry>> = {};
  for (const entry of entries) {
    const key = KEYS.find(one => one === entry.key);
    if (!key)
      throw fileFailure(
        file,
        entry.line(),
        `unknown key ${briefJson(entry.key)}.`,
        suggestion(entry.key, KEYS, `Keys: ${KEYS.join(', ')}.`),
      );
    if (found[key]) throw fileFailure(file, entry.line(), `${key} stands twice.`);
    found[key] = entry;
  }
  return found;
}

function verdictOf({ value, line }: FileEntry, file: NamedFile): PolicyVerdict {
  const verdict = readNative(SHAPE.decision, value, currentEnvironment());
  if (verdict) return verdict;
  throw fileFailure(file, line(), `default ${briefJson(value)}: expected ${SHAPE.decision.expected}.`);
}

function ruleOf(
  rows: readonly TableOf<typeof SHAPE>[],
  row: TableOf<typeof SHAPE>,
  index: number,
  rules: FileEntry,
  file: NamedFile,
): RuleText {
  const fail = (key: string, what: string, hint?: string) => fileFailure(file, rules.line([index, key]), what, hint);
  const { name = `rule ${index + 1} of ${basename(file.path)}`, decision, ...conditions } = row;
  if (!decision) throw fail('decision', `rule ${index + 1} has no decision.`, `Give decision: ${VERDICTS.join(', ')}.`);
  if (rows.slice(0, index).some(other => other.name === name))
    throw fail('name', `the name ${briefJson(name)} stands twice.`);
  for (const glob of conditions.tool ?? []) {
    const strange = strangeTool(glob);
    if (strange) throw fail('tool', strange.what, strange.hint);
  }
  return { name, decision, ...conditions };
}

function isPattern(text: string): boolean {
  try {
    compilePatterns([text]);
    return true;
  } catch {
    return false;
  }
}

/** The glob with `~` written out; and as it reads when the links on its way are followed. */
function spellings(glob: string, { home }: Environment): string[] | undefined {
  const full = glob.replace(/^~(?=[\\/])/, home);
  if (full.startsWith('**')) return [full];
  if (!isAbsolute(full) || full.includes('\0')) return undefined;
  const [, fixed = full, rest = ''] = /^([^*]*[\\/])([^\\/]*\*.*)$/s.exec(full) ?? [];
  const plain = resolve(fixed);
  return [...new Set([plain, realOf(plain)])].map(folder => (rest === '' ? folder : join(folder, rest)));
}

/** Where a path leads; of what does not exist, as far as it does. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const { dir, base, root } = parse(path);
    return path === root ? path : join(realOf(dir), base);
  }
}
