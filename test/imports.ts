// What the architecture test checks: rules over source files, given as path → text.
import { posix } from 'node:path';

export type Sources = ReadonlyMap<string, string>;

/** From the outside in: a file imports from its own folder and from lower tiers only. */
export const TIERS = [
  ['agent-browser.ts', 'browseros.ts', 'browsion.ts'],
  ['main.ts'],
  ['surfaces'],
  ['call'],
  ['dialects', 'bridge', 'tools'],
  ['session'],
  ['engine'],
  ['policy', 'config'],
  ['errors.ts', 'ellipsis.ts'],
];

const MOST_LINES = 300;
const VAGUE_FILE = /(^|[/.-])(utils?|helpers?|common|shared|misc|manager|service|base)\b/i;
const VAGUE_TYPE =
  /\b(?:class|interface|type)\s+((?:Base(?=[A-Z<\s])\w*)|(?:\w*(?:Manager|Service|Helper|Helpers|Util|Utils)))\b/g;

const partOf = (path: string): string => path.split('/')[1] ?? '';
const tierOf = (path: string): number => TIERS.findIndex(parts => parts.includes(partOf(path)));

/** Every module a file names: static, type-only, re-exported or dynamic. */
export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const from = code.matchAll(/\b(?:import|export)\b[^'";()]*?\bfrom\s*'([^']+)'/g);
  const bare = code.matchAll(/\bimport\s*\(?\s*'([^']+)'/g);
  return [...from, ...bare].map(match => match[1] ?? '');
}

/** The files of the project that a file imports. */
function inside(path: string, text: string): string[] {
  return importsOf(text)
    .filter(name => name.startsWith('.'))
    .map(name => posix.join(posix.dirname(path), name))
    .filter(target => target.startsWith('src/'));
}

export function wrongDirection(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    inside(path, text)
      .filter(target => partOf(target) !== partOf(path) && tierOf(target) <= tierOf(path))
      .map(target => `${path} imports ${target}`),
  );
}

export const withoutTier = (sources: Sources): string[] => [...sources.keys()].filter(path => tierOf(path) < 0);

export function missing(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    inside(path, text)
      .filter(target => !sources.has(target))
      .map(target => `${path} imports ${target}`),
  );
}

/** Each cycle once, as the path round it. */
export function cycles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of inside(path, sources.get(path) ?? '')) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of sources.keys()) walk(path, []);
  return found;
}

export function outsideEngine(sources: Sources): string[] {
  return [...sources]
    .filter(([path, text]) => partOf(path) !== 'engine' && importsOf(text).some(name => /^playwright/.test(name)))
    .map(([path]) => path);
}

export function vagueNames(sources: Sources): string[] {
  const files = [...sources.keys()].filter(path => VAGUE_FILE.test(path.slice('src/'.length)));
  const types = [...sources].flatMap(([path, text]) =>
    [...text.matchAll(VAGUE_TYPE)].map(match => `${path}: ${match[1]}`),
  );
  return [...files, ...types];
}

export const withoutPurpose = (sources: Sources): string[] =>
  [...sources].filter(([, text]) => !/^(\/\/ |\/\*\* )\S/.test(text)).map(([path]) => path);

export const tooLong = (sources: Sources): string[] =>
  [...sources]
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
