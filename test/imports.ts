// What the architecture test checks: rules over source files, given as path → text.
import { posix } from 'node:path';

export type Sources = ReadonlyMap<string, string>;

/** From the outside in: a file imports from its own folder and from lower tiers only. */
const TIERS = [
  ['web'],
  ['agent-browser.ts', 'browseros.ts', 'browsion.ts', 'tabwright.ts'],
  ['main.ts'],
  ['surfaces'],
  ['call'],
  ['dialects'],
  ['bridge', 'tools'],
  ['session'],
  ['engine'],
  ['cdp', 'policy', 'config'],
  ['registry of dialects'],
  ['errors.ts', 'ellipsis.ts', 'defined.ts'],
  ['text.ts'],
];

const MOST_LINES = 400;
const VAGUE_FILE = /(^|[/.-])(utils?|helpers?|common|shared|misc|manager|service|base)\b/i;
const VAGUE_TYPE =
  /\b(?:class|interface|type)\s+((?:Base(?=[A-Z<\s])\w*)|(?:\w*(?:Manager|Service|Helper|Helpers|Util|Utils)))\b/g;

/** The registry of dialects is data that options are made of: it stands below them, the code of the dialects far above. */
const REGISTRY = /^src\/dialects\/(?:registry|[^/]+\/defaults)\.ts$/;

const partOf = (path: string): string => (REGISTRY.test(path) ? 'registry of dialects' : (path.split('/')[1] ?? ''));
const tierOf = (path: string): number => TIERS.findIndex(parts => parts.includes(partOf(path)));

/** Every module a file names: static, type-only, re-exported or dynamic. */
export const importsOf = (text: string): string[] => imports(text).map(({ name }) => name);

/** `isType`: the import is gone when the file runs. */
function imports(text: string): { name: string; isType: boolean }[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const from = [...code.matchAll(/\b(?:import|export)\b([^'";()]*?)\bfrom\s*'([^']+)'/g)];
  const bare = [...code.matchAll(/(\btypeof\s+)?\bimport\s*\(?\s*'([^']+)'(\)\.[A-Z])?/g)];
  return [
    ...from.map(([, names = '', name = '']) => ({ name, isType: isTypesOnly(names) })),
    ...bare.map(([, ofType, name = '', type]) => ({ name, isType: (ofType ?? type) !== undefined })),
  ];
}

/** `type { A }`, or `{ type A, type B }`. */
const isTypesOnly = (names: string): boolean =>
  /^\s*type\b/.test(names) || /^\s*\{\s*(?:type\s+[^,]+,?\s*)+\}\s*$/.test(names);

interface Edge {
  target: string;
  isType: boolean;
}

/** The files of the project that a file imports. */
function edges(path: string, text: string): Edge[] {
  return imports(text)
    .filter(({ name }) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map(({ name, isType }) => ({ target: posix.join(posix.dirname(path), name), isType }))
    .filter(({ target }) => target.startsWith('src/'));
}

const inside = (path: string, text: string): string[] => edges(path, text).map(({ target }) => target);

export function wrongDirection(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    inside(path, text)
      .filter(target => partOf(target) !== partOf(path) && tierOf(target) <= tierOf(path))
      .map(target => `${path} imports ${target}`),
  );
}

const PROTOCOL = 'src/surfaces/view/protocol.ts';

/** The page at /view runs in a browser: of the server it knows the wire protocol only. */
export function outsidePage(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => partOf(path) === 'web')
    .flatMap(([path, text]) =>
      inside(path, text)
        .filter(target => partOf(target) !== 'web' && target !== PROTOCOL)
        .map(target => `${path} imports ${target}`),
    );
}

/** The path of a call knows a dialect only by the type of its adapter; the surfaces hand the adapter in. */
export function dialectsInCalls(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => partOf(path) === 'call')
    .flatMap(([path, text]) =>
      edges(path, text)
        .filter(({ target }) => partOf(target) === 'dialects')
        .filter(({ target, isType }) => !isType || target !== 'src/dialects/dialect.ts')
        .map(({ target }) => `${path} imports ${target}`),
    );
}

/** Files that name a dialect, outside its own folder and the registry: `file: name`. */
export function dialectsNamed(sources: Sources, names: readonly string[]): string[] {
  return [...sources]
    .filter(([path]) => path !== 'src/dialects/registry.ts')
    .flatMap(([path, text]) =>
      names
        .filter(name => !path.startsWith(`src/dialects/${name}/`))
        .filter(name => new RegExp(`'${name}'|/dialects/${name}/`).test(text))
        .map(name => `${path}: ${name}`),
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

/** Files that import each other in a circle. Types may tie the files of one folder together, but not folders. */
export function cycles(sources: Sources): string[] {
  const values = circles(sources, ({ isType }) => !isType);
  const acrossFolders = circles(sources, () => true).filter(
    files => new Set(files.map(file => posix.dirname(file))).size > 1,
  );
  return [...new Set([...values, ...acrossFolders].map(files => files.join(' ↔ ')))];
}

/** Each group of files that import each other in a circle, by Tarjan's algorithm. */
function circles(sources: Sources, counts: (edge: Edge) => boolean): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  /** Gives the earliest open file that can be reached from this one. */
  const walk = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    open.push(path);
    let earliest = own;
    for (const { target } of edges(path, sources.get(path) ?? '').filter(counts)) {
      if (!order.has(target)) earliest = Math.min(earliest, walk(target));
      else if (open.includes(target)) earliest = Math.min(earliest, order.get(target) ?? own);
    }
    if (earliest < own) return earliest;
    const group = open.splice(open.indexOf(path));
    if (group.length > 1) found.push(group.sort());
    return earliest;
  };
  for (const path of sources.keys()) if (!order.has(path)) walk(path);
  return found;
}

/** The engine speaks CDP itself; Playwright is for the tests that compare with it. */
export function usesPlaywright(sources: Sources): string[] {
  return [...sources]
    .filter(([, text]) => importsOf(text).some(name => /^playwright/.test(name)))
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

/** Files of one folder; more are hard to take in. */
const MOST_FILES = 15;

export function crowdedFolders(sources: Sources): string[] {
  const counts = new Map<string, number>();
  for (const path of sources.keys()) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => (count > MOST_FILES ? [`${folder}: ${count} files`] : []));
}

/** Exported types whose name another file exports too: a reader could not tell which is meant. */
export function sharedTypeNames(sources: Sources): string[] {
  const files = new Map<string, Set<string>>();
  for (const [path, text] of sources)
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  return [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
}

/** Names that files import from a file of the project; `*` for a namespace, a dynamic import or a re-export of everything. */
function importedNames(files: Sources): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const [path, text] of files)
    for (const [, clause = '*', name = ''] of text.matchAll(
      /(?:\b(?:import|export)\b([^'";()]*?)\bfrom\s*|\bimport\s*\(\s*)'(\.[^']+)'/g,
    )) {
      const target = posix.join(posix.dirname(path), name);
      const names = /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? ['*'];
      const clean = names.map(
        one =>
          one
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s+as\s+/)[0] ?? '',
      );
      used.set(target, new Set([...(used.get(target) ?? []), ...clean]));
    }
  return used;
}

/** Files that a dynamic import names by a pattern: `./${name}/definition.ts`. */
const importedByPattern = (files: Sources): string[] =>
  [...files].flatMap(([path, text]) =>
    [...text.matchAll(/\bimport\s*\(\s*`(\.[^`]+)`/g)].flatMap(([, pattern = '']) => {
      const parts = posix.join(posix.dirname(path), pattern).split(/\$\{\w+\}/);
      const file = new RegExp(`^${parts.map(part => part.replaceAll('.', '\\.')).join('[^/]+')}$`);
      return [...files.keys()].filter(name => file.test(name));
    }),
  );

/** Exports of the sources that no file imports, tests included. A type may stand in the signature of another export of its file. */
export function unusedExports(sources: Sources, files: Sources): string[] {
  const used = importedNames(files);
  for (const path of importedByPattern(files)) used.set(path, new Set(['*']));
  return [...sources].flatMap(([path, text]) => {
    const names = used.get(path) ?? new Set();
    const isInSignature = (kind: string, name: string) =>
      /interface|type/.test(kind) && [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
    return [...text.matchAll(/^export (?:async |abstract )?(const|function\*?|class|interface|type) (\w+)/gm)]
      .filter(([, kind = '', name = '']) => !names.has('*') && !names.has(name) && !isInSignature(kind, name))
      .map(([, , name]) => `${path}: ${name}`);
  });
}

/** Files with a table keyed by the names of tools: what is known of a tool stands on its row. The engine knows no tools. */
export const toolTables = (files: Sources, tools: readonly string[]): string[] =>
  [...files]
    .filter(([path]) => !/^src\/(?:tools|dialects|bridge|engine)\//.test(path))
    .flatMap(([path, text]) => {
      const keys = [...text.matchAll(/^\s+'?(\w+)'?: (?=[[{'(]|new Set)/gm)].map(([, key = '']) => key);
      const named = [...new Set(keys.filter(key => tools.includes(key)))];
      return named.length > 1 ? [`${path}: ${named.join(', ')}`] : [];
    });
