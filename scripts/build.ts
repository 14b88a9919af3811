// Builds dist/: the command and the parts it loads when they are needed, with the listing of tools computed beforehand, and the page at /view.

import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import { type DialectName, dialectNames } from '../src/dialects/registry.ts';
import { LIBRARIES } from '../src/engine/text/libraries.ts';
import { LISTED } from '../src/surfaces/listing/listed.ts';
import * as bridge from '../src/surfaces/listing/listed-bridge.ts';
import { listingOf } from '../src/surfaces/listing/listed-dialects.ts';
import { ALIASES, TOOL_WORDS } from '../src/surfaces/listing/tool-words.ts';
import { buildWeb } from './build-web.ts';

const OUT = 'dist/tabwright.js';
/** What package.json offers as commands. */
const COMMANDS = {
  'parts/main': 'src/main.ts',
  'agent-browser': 'src/agent-browser.ts',
  browseros: 'src/browseros.ts',
  browsion: 'src/browsion.ts',
};
const PARTS = 'dist/parts';
/** The most that the file may have that every command loads. */
const MOST_ENTRY_BYTES = 20_000;
/** What the commands start as processes of their own. */
const PROGRAMS = [
  {
    source: 'src/engine/trace/trace-reader.ts',
    banner:
      '/* trace_engine: BSD-3-Clause, The Chromium Authors. third-party-web: MIT, Patrick Hulce. legacy-javascript: Apache-2.0. */',
  },
  { source: 'src/engine/browser/profile/keeper/keeper.ts', banner: '' },
];

/** What is sent into a page to read it; smaller by half. */
const reader = await transform(LIBRARIES, { minify: true, legalComments: 'none' });

/** A module with the same values, written out. */
function exporting(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** Where the computed listing of a dialect is imported from: a part of its own. */
const LISTING = 'listing:';

/** A module that loads the listing of a dialect by its name. */
function loadingListings(): string {
  const loaders = dialectNames.map(name => `${JSON.stringify(name)}: () => import('${LISTING}${name}')`);
  return `const LISTINGS = { ${loaders.join(', ')} };
export const listingOf = name => LISTINGS[name]();`;
}

const listings: Plugin = {
  name: 'listings',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^listing:/ }, ({ path }) => ({ path: path.replace(':', '-'), namespace: LISTING }));
    onLoad({ filter: /.*/, namespace: LISTING }, async ({ path }) => ({
      contents: exporting(await listingOf(path.slice(LISTING.length) as DialectName)),
    }));
  },
};

/** Modules that the bundle holds in another form, because a start would pay for the original. */
const TOOL_WORDS_MODULE = {
  module: /[\\/]src[\\/]surfaces[\\/]listing[\\/]tool-words\.ts$/,
  by: exporting({ ALIASES, TOOL_WORDS }),
};

const REPLACED: { module: RegExp; by: string }[] = [
  TOOL_WORDS_MODULE,
  // The result instead of the module that computes it.
  {
    module: /[\\/]src[\\/]surfaces[\\/]listing[\\/]listed\.ts$/,
    by: `export const LISTED = ${JSON.stringify(LISTED)};`,
  },
  {
    module: /[\\/]src[\\/]engine[\\/]text[\\/]libraries\.ts$/,
    by: `export const LIBRARIES = ${JSON.stringify(`/* Readability: Apache-2.0, Arc90 and Mozilla. turndown: MIT, Dom Christie. */${reader.code}`)};`,
  },
  { module: /[\\/]src[\\/]surfaces[\\/]listing[\\/]listed-dialects\.ts$/, by: loadingListings() },
  { module: /[\\/]src[\\/]surfaces[\\/]listing[\\/]listed-bridge\.ts$/, by: exporting(bridge) },
  // Error messages in one language instead of all.
  { module: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/, by: `export { default as en } from './en.js';` },
  // The small JSON Schema validator of the SDK instead of the large one.
  {
    module: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    by: `export { default as process } from 'node:process';
      export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`,
  },
];

const replace: Plugin = {
  name: 'replace',
  setup({ onLoad, onEnd }) {
    const seen = new Set<RegExp>();
    for (const { module, by } of REPLACED)
      onLoad({ filter: module }, () => {
        seen.add(module);
        return { contents: by, loader: 'js' };
      });
    // A module that moved in an update of its package must not pass unnoticed.
    onEnd(() => ({
      errors: REPLACED.filter(({ module }) => !seen.has(module)).map(({ module }) => ({
        text: `nothing matches ${module}`,
      })),
    }));
  },
};

/** The protocol and its schemas are half of what a start compiles; shorter names make that quicker. Ours stay, for stack traces. */
const shrink: Plugin = {
  name: 'shrink',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/](zod|@modelcontextprotocol)[\\/].*\.m?js$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { minify: true, format: 'esm', target: 'node20' });
      return { contents: code, loader: 'js' };
    });
  },
};

/** A server that runs may still load parts of the build it came from; `--clean` forgets it, for a package. */
async function removeOldParts({ outputs }: Metafile): Promise<void> {
  const kept = new Set(Object.keys(outputs).map(path => relative(PARTS, path)));
  const old = process.argv.includes('--clean') ? 0 : 3_600_000;
  for (const name of await readdir(PARTS)) {
    const path = join(PARTS, name);
    if (!kept.has(name) && Date.now() - (await stat(path)).mtimeMs >= old) await rm(path);
  }
}

/** The package has no dependencies: everything that it imports is in the bundle, or part of Node. */
function checkBundled({ outputs }: Metafile): void {
  const outside = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !isBuiltin(path));
  if (outside.length) throw new Error(`not in the bundle: ${outside.map(({ path }) => path).join(', ')}`);
}

/** Of what the build is made: a server of another build is replaced. */
async function buildId(): Promise<string> {
  const files = (await readdir('src', { recursive: true, withFileTypes: true })).filter(entry => entry.isFile());
  const hash = createHash('sha256').update(await readFile('package.json'));
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

const define = { BUILD_ID: JSON.stringify(await buildId()) };

/** The entry takes the words of tools as they are, and finds all else in the parts. */
const quickOnly: Plugin = {
  name: 'quick only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: './parts/main.js', external: true }));
    onLoad({ filter: TOOL_WORDS_MODULE.module }, () => ({ contents: TOOL_WORDS_MODULE.by, loader: 'js' }));
  },
};

/** What every command loads: nothing of the schemas and of the protocol. */
function checkSmall({ outputs }: Metafile): void {
  const { bytes = 0 } = outputs['dist/tabwright.js'] ?? {};
  if (bytes > MOST_ENTRY_BYTES) throw new Error(`dist/tabwright.js has ${bytes} bytes, more than ${MOST_ENTRY_BYTES}`);
}

const { metafile } = await build({
  entryPoints: COMMANDS,
  outdir: 'dist',
  bundle: true,
  // A start reads and compiles only the parts it needs.
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  platform: 'node',
  // The CommonJS form of some packages asks for its own files in a way that cannot be bundled.
  mainFields: ['module', 'main'],
  target: 'node20',
  format: 'esm',
  plugins: [replace, listings, shrink],
  define,
  banner: {
    // CommonJS inside the bundle asks for a require that ES modules lack.
    js: `#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);`,
  },
  // Names stay, for stack traces that can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
checkBundled(metafile);
await removeOldParts(metafile);
for (const { source, banner } of PROGRAMS)
  await build({
    entryPoints: [source],
    outdir: PARTS,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    format: 'esm',
    banner: { js: banner },
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
/** The command itself, in one small file: what most uses of it need, they find there. */
const { metafile: entry } = await build({
  entryPoints: { tabwright: 'src/tabwright.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  plugins: [quickOnly],
  banner: { js: '#!/usr/bin/env node' },
  define,
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
checkSmall(entry);
for (const name of ['tabwright', 'agent-browser', 'browseros', 'browsion']) await chmod(`dist/${name}.js`, 0o755);
const bytes = Object.entries(metafile.outputs).map(([path, output]) => (path.endsWith('.js') ? output.bytes : 0));
console.log(`${OUT}: ${Math.round(bytes.reduce((sum, one) => sum + one, 0) / 1024)} KB, ${LISTED.length} tools`);
await buildWeb();
