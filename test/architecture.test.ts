// The order of layers, and the other rules that every file in src keeps.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as rules from './imports.ts';

const sources: rules.Sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `src/${name.split(sep).join('/')}`)
    .sort()
    .map(path => [path, readFileSync(path, 'utf8')]),
);

const made = (files: Record<string, string>): rules.Sources => new Map(Object.entries(files));

describe('src', () => {
  it('has files', () => expect(sources.size).toBeGreaterThan(20));
  it('imports in one direction only', () => expect(rules.wrongDirection(sources)).toEqual([]));
  it('has no folder outside the tiers', () => expect(rules.withoutTier(sources)).toEqual([]));
  it('imports only what exists', () => expect(rules.missing(sources)).toEqual([]));
  it('has no import cycle, types included', () => expect(rules.cycles(sources)).toEqual([]));
  it('imports playwright-core only in the engine', () => expect(rules.outsideEngine(sources)).toEqual([]));
  it('has no vague names', () => expect(rules.vagueNames(sources)).toEqual([]));
  it('says on the first line of each file what it is for', () => expect(rules.withoutPurpose(sources)).toEqual([]));
  it('has no file longer than 300 lines', () => expect(rules.tooLong(sources)).toEqual([]));
});

describe('the rules themselves', () => {
  it('see every form of import', () => {
    const text = `import a from './a.ts';\nimport type { B } from './b.ts';\nexport * from './c.ts';\nimport './d.ts';
const e = await import('./e.ts');\nlet f: import('./f.ts').F;\nimport {\n  g,\n} from './g.ts';\n// import h from './h.ts';`;
    expect(rules.importsOf(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => `./${name}.ts`));
  });

  it('catch an upward import, also of a type', () => {
    const files = made({ 'src/engine/tab.ts': `import type { Call } from '../call/call.ts';`, 'src/call/call.ts': '' });
    expect(rules.wrongDirection(files)).toEqual(['src/engine/tab.ts imports src/call/call.ts']);
  });

  it('catch an import between neighbours of one tier', () => {
    const files = made({ 'src/policy/urls.ts': `import { load } from '../config/load.ts';`, 'src/config/load.ts': '' });
    expect(rules.wrongDirection(files)).toHaveLength(1);
  });

  it('catch a cycle through a type', () => {
    const files = made({
      'src/engine/a.ts': `import { b } from './b.ts';`,
      'src/engine/b.ts': `import { c } from './c.ts';`,
      'src/engine/c.ts': `import type { A } from './a.ts';`,
    });
    expect(rules.cycles(files)).toEqual(['src/engine/a.ts → src/engine/b.ts → src/engine/c.ts → src/engine/a.ts']);
  });

  it('catch the rest', () => {
    const text = `class TabManager {}\nimport 'playwright-core';\n${'\n'.repeat(300)}x`;
    const files = made({ 'src/session/utils.ts': text, 'src/odd/x.ts': `// fine\ninterface BaseTool {}` });
    expect(rules.outsideEngine(files)).toEqual(['src/session/utils.ts']);
    expect(rules.vagueNames(files)).toEqual([
      'src/session/utils.ts',
      'src/session/utils.ts: TabManager',
      'src/odd/x.ts: BaseTool',
    ]);
    expect(rules.withoutPurpose(files)).toEqual(['src/session/utils.ts']);
    expect(rules.tooLong(files)).toEqual(['src/session/utils.ts: 303 lines']);
    expect(rules.withoutTier(files)).toEqual(['src/odd/x.ts']);
  });
});
