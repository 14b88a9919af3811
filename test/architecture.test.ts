// The order of layers, and the other rules that every file in src keeps.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialectNames } from '../src/dialects/registry.ts';
import { TOOLS } from '../src/tools/index.ts';
import * as rules from './imports.ts';

const read = (folder: string): rules.Sources =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name))
      .map(name => `${folder}/${name.split(sep).join('/')}`)
      .sort()
      .map(path => [path, readFileSync(path, 'utf8')]),
  );

const sources = read('src');
const files: rules.Sources = new Map(['src', 'test', 'scripts', 'bench'].flatMap(folder => [...read(folder)]));

const made = (files: Record<string, string>): rules.Sources => new Map(Object.entries(files));

describe('src', () => {
  it('has files', () => expect(sources.size).toBeGreaterThan(20));
  it('imports in one direction only', () => expect(rules.wrongDirection(sources)).toEqual([]));
  it('knows dialects in the path of a call only by the type of their adapter', () =>
    expect(rules.dialectsInCalls(sources)).toEqual([]));
  it('names a dialect in its own folder and in the registry only, but for commands and an HTTP API of their own', () =>
    expect(rules.dialectsNamed(sources, dialectNames)).toEqual([
      // The command browsion-mcp, and the HTTP API that it is a client of.
      'src/browsion.ts: browsion',
      // The name of an executable.
      'src/engine/browser/find-browser.ts: chrome',
      // The command browseros-mcp speaks the dialect of the server that it replaces.
      'src/surfaces/browseros/serve.ts: devtools',
      'src/surfaces/browsion/mcp-server.ts: browsion',
      'src/surfaces/browsion/openapi.ts: browsion',
      'src/surfaces/browsion/routes.ts: browsion',
      'src/surfaces/cli/mcp.ts: browsion',
      'src/surfaces/cli/serve.ts: browsion',
    ]));
  it('has no folder outside the tiers', () => expect(rules.withoutTier(sources)).toEqual([]));
  it('shares with the page at /view its wire protocol only', () => expect(rules.outsidePage(sources)).toEqual([]));
  it('imports only what exists', () => expect(rules.missing(sources)).toEqual([]));
  it('has no import cycle, but for types inside one folder', () => expect(rules.cycles(sources)).toEqual([]));
  it('speaks CDP without Playwright', () => expect(rules.usesPlaywright(sources)).toEqual([]));
  it('has no vague names', () => expect(rules.vagueNames(sources)).toEqual([]));
  it('says on the first line of each file what it is for', () => expect(rules.withoutPurpose(sources)).toEqual([]));
  it('has no file longer than 400 lines', () => expect(rules.tooLong(sources)).toEqual([]));
  it('has no folder with more than 15 files', () => expect(rules.crowdedFolders(sources)).toEqual([]));
  it('exports each type name from one file only', () => expect(rules.sharedTypeNames(sources)).toEqual([]));
  it('keeps what is known of a tool on its row', () =>
    expect(
      rules.toolTables(
        sources,
        TOOLS.map(({ name }) => name),
      ),
    ).toEqual([]));
  it('exports nothing that nobody imports', () => expect(rules.unusedExports(sources, files)).toEqual([]));
});

describe('the rules themselves', () => {
  it('catch a table that is keyed by the names of tools', () => {
    const table = "const TYPED = {\n  fill: ['value'],\n  type: ['text'],\n};";
    const files = made({
      'src/policy/mask.ts': table,
      'src/dialects/vision.ts': table,
      'src/call/a.ts': "  type: 'x',",
    });
    expect(rules.toolTables(files, ['fill', 'type'])).toEqual(['src/policy/mask.ts: fill, type']);
  });

  it('catch an export that nobody imports', () => {
    const project = made({
      'src/call/a.ts': 'export const used = 1;\nexport interface Unused {}\nexport async function late() {}',
      'src/call/b.ts': "import { type Other, used as mine } from './a.ts';\nexport const all = 1;",
      'test/c.ts': "const b = await import('../src/call/b.ts');",
    });
    expect(rules.unusedExports(project, project)).toEqual(['src/call/a.ts: Unused', 'src/call/a.ts: late']);
  });

  it('catch the name of a dialect outside its folder', () => {
    const files = made({
      'src/dialects/registry.ts': `export const DIALECTS = { tiny: {} }; const OLD = 'tiny';`,
      'src/dialects/tiny/definition.ts': `const name = 'tiny';`,
      'src/surfaces/a.ts': `if (dialect === 'tiny') run();`,
      'src/surfaces/b.ts': `import { DEFINITION } from '../dialects/tiny/definition.ts';`,
      'src/surfaces/c.ts': `// tiny\nconst tiny = 'tiny ones';`,
    });
    expect(rules.dialectsNamed(files, ['tiny'])).toEqual(['src/surfaces/a.ts: tiny', 'src/surfaces/b.ts: tiny']);
  });

  it('take a file for imported that a pattern names', () => {
    const project = made({
      'src/dialects/index.ts': `const one = await import(\`./\${name}/definition.ts\`);`,
      'src/dialects/tiny/definition.ts': 'export const DEFINITION = 1;',
      'src/dialects/tiny/other.ts': 'export const OTHER = 1;',
    });
    expect(rules.unusedExports(project, project)).toEqual(['src/dialects/tiny/other.ts: OTHER']);
  });

  it('catch a crowded folder, and a type name that two files export', () => {
    const many = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`src/engine/f${index}.ts`, '']));
    expect(rules.crowdedFolders(made(many))).toEqual(['src/engine: 16 files']);
    const files = made({
      'src/call/a.ts': 'export interface Row {}\ninterface Part {}',
      'src/call/b.ts': 'export type Row = 1;\nexport class Part {}',
    });
    expect(rules.sharedTypeNames(files)).toEqual(['Row: src/call/a.ts, src/call/b.ts']);
  });

  it('see every form of import', () => {
    const text = `import a from './a.ts';\nimport type { B } from './b.ts';\nexport * from './c.ts';\nimport './d.ts';
const e = await import('./e.ts');\nlet f: import('./f.ts').F;\nimport {\n  g,\n} from './g.ts';\n// import h from './h.ts';`;
    expect(rules.importsOf(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => `./${name}.ts`));
  });

  it('catch an upward import, also of a type', () => {
    const files = made({ 'src/engine/tab.ts': `import type { Call } from '../call/call.ts';`, 'src/call/call.ts': '' });
    expect(rules.wrongDirection(files)).toEqual(['src/engine/tab.ts imports src/call/call.ts']);
  });

  it('catch a dialect in the path of a call', () => {
    const text = `import { adapterFor } from '../dialects/index.ts';\nimport type { Dialect } from '../dialects/dialect.ts';`;
    const files = made({ 'src/call/call.ts': text, 'src/dialects/index.ts': '', 'src/dialects/dialect.ts': '' });
    expect(rules.dialectsInCalls(files)).toEqual(['src/call/call.ts imports src/dialects/index.ts']);
  });

  it('catch a page that imports from the server', () => {
    const text = `import { FRAME } from '../surfaces/view/protocol.ts';\nimport { view } from '../surfaces/view/routes.ts';`;
    expect(rules.outsidePage(made({ 'src/web/main.tsx': text }))).toEqual([
      'src/web/main.tsx imports src/surfaces/view/routes.ts',
    ]);
  });

  it('catch an import between neighbours of one tier', () => {
    const files = made({ 'src/policy/urls.ts': `import { load } from '../config/load.ts';`, 'src/config/load.ts': '' });
    expect(rules.wrongDirection(files)).toHaveLength(1);
  });

  it('catch a cycle, unless types close it inside one folder', () => {
    const cycle = (last: string, folder = 'engine') =>
      made({
        'src/engine/a.ts': `import { b } from './b.ts';`,
        'src/engine/b.ts': `import { c, type C } from '../${folder}/c.ts';`,
        [`src/${folder}/c.ts`]: last,
      });
    const files = (folder = 'engine') => [`src/engine/a.ts ↔ src/engine/b.ts ↔ src/${folder}/c.ts`];
    const value = cycle(`import { a, type A } from './a.ts';`);
    const late = cycle(`const { a } = await import('./a.ts');`);
    for (const sources of [value, late]) expect(rules.cycles(sources)).toEqual(files());
    const types = [
      `import type { A } from './a.ts';`,
      `import { type A, type B } from './a.ts';`,
      `let a: import('./a.ts').A;`,
    ];
    for (const text of types) expect(rules.cycles(cycle(text))).toEqual([]);
    const across = cycle(`import type { A } from '../a.ts';`, 'engine/tab');
    expect(rules.cycles(across)).toEqual(files('engine/tab'));
  });

  it('catch the rest', () => {
    const text = `class TabManager {}\nimport 'playwright-core';\n${'\n'.repeat(400)}x`;
    const files = made({ 'src/session/utils.ts': text, 'src/odd/x.ts': `// fine\ninterface BaseTool {}` });
    expect(rules.usesPlaywright(files)).toEqual(['src/session/utils.ts']);
    expect(rules.vagueNames(files)).toEqual([
      'src/session/utils.ts',
      'src/session/utils.ts: TabManager',
      'src/odd/x.ts: BaseTool',
    ]);
    expect(rules.withoutPurpose(files)).toEqual(['src/session/utils.ts']);
    expect(rules.tooLong(files)).toEqual(['src/session/utils.ts: 403 lines']);
    expect(rules.withoutTier(files)).toEqual(['src/odd/x.ts']);
  });
});
