// The shape of the bridge: layers (S0-46), tests in proportion (S0-60), coverage (S0-61), and docs that list what is there (S0-53, S0-54).
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { COMMON_INPUT } from '../../src/bridge/cli/arguments.ts';
import { TESTED } from '../../src/bridge/constants.ts';
import { BRIDGE_TOOLS } from '../../src/bridge/tools/index.ts';
import { cycles, importsOf, type Sources } from '../imports.ts';
import coverage from './coverage.ts';
import { kindOf, outOfProportion, sharesOf, WANTED } from './proportions.ts';

const names = BRIDGE_TOOLS.map(({ name }) => name);
const docs = readFileSync('docs/agent-browser.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');

const sources: Sources = new Map(
  readdirSync('src/bridge', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => [`src/bridge/${name}`, readFileSync(`src/bridge/${name}`, 'utf8')]),
);
const own = (name: string): string[] =>
  importsOf(sources.get(`src/bridge/${name}.ts`) ?? '').filter(path => /^\.\.?\/(?!.*package\.json)/.test(path));

describe('layers', () => {
  it('S0-46 constants and contracts stand below everything', () => {
    expect(own('constants')).toEqual([]);
    expect(own('types')).toEqual([]);
  });

  it('S0-46 the runner knows no tools, and nothing goes round in a circle', () => {
    expect(own('cli/run').filter(path => /tool|table|bridge|rows/.test(path))).toEqual([]);
    expect(cycles(sources)).toEqual([]);
  });
});

describe('tests', () => {
  it('S0-60 are counted by their folder, and wanted in the proportions that were asked for', () => {
    const kinds = ['x/test/bridge/a.test.ts', 'x/test/bridge/stub/a.test.ts', 'x/test/bridge/real/a.test.ts'].map(
      kindOf,
    );
    expect(kinds).toEqual(Object.keys(WANTED));
    expect(Object.values(WANTED).map(({ about }) => about)).toEqual([70, 25, 5]);
    expect(outOfProportion(sharesOf({ unit: 70, integration: 25, 'end-to-end': 5 }))).toEqual([]);
    expect(outOfProportion(sharesOf({ unit: 40, integration: 55, 'end-to-end': 5 }))).toEqual(['unit', 'integration']);
  });

  it('S0-61 must cover enough of the bridge', () => {
    expect(coverage.test?.coverage).toMatchObject({
      include: ['src/bridge/**'],
      thresholds: { lines: 85, branches: 80, functions: 85 },
    });
  });
});

describe('the docs', () => {
  const rows = [...docs.matchAll(/^\| `(agent_browser_\w+)` \|/gm)].map(([, name]) => name);

  it('S0-54 list every tool that is registered, and no other', () => {
    expect(rows).toEqual(names);
    const inReadme = new Set(readme.match(/agent_browser_\w+/g));
    expect([...inReadme]).toEqual(names);
  });

  it('S0-53 name the global options, the variables, the versions and what to do when it does not work', () => {
    for (const option of Object.keys(COMMON_INPUT)) expect(docs).toContain(`\`${option}\``);
    for (const variable of ['AGENT_BROWSER_BIN', 'AGENT_BROWSER_SESSION']) expect(docs).toContain(variable);
    for (const words of [
      TESTED.oldest,
      TESTED.newest,
      'agent-browser install --with-deps',
      '## Troubleshooting',
      '## Start',
    ])
      expect(docs).toContain(words);
  });

  it('14.15 name every argument of every tool', () => {
    const page = readFileSync('docs/agent-browser-tools.md', 'utf8');
    for (const { name, input } of BRIDGE_TOOLS) {
      const listed = Object.keys(input).map(argument => `\`${argument}\``);
      expect(docs).toMatch(new RegExp(`^\\| \`${name}\` \\| .* \\| ${listed.join(', ')} \\|`, 'm'));
      const [, section = ''] = page.split(`### ${name}\n`);
      for (const argument of listed) expect(section.split('###')[0]).toContain(`| ${argument}`);
    }
  });

  it('S0-53 pin the range of versions in the README as well', () =>
    expect(readme).toContain(`${TESTED.oldest} to ${TESTED.newest}`));

  it('S0-27 S0-26 tell which command is behind each tool', () => {
    expect(docs).toMatch(/`agent_browser_type` \| `type TARGET TEXT`/);
    expect(docs).toMatch(/`agent_browser_fill` \| `fill TARGET VALUE`/);
  });

  it('S0-01 name the command that the package has', () =>
    expect(packageJson.bin).toMatchObject({ 'agent-browser-mcp-server': 'dist/agent-browser.js' }));
});
