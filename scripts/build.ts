// Builds dist/tabwright.js: one file, with the listing of tools computed beforehand.
import { chmod, rm } from 'node:fs/promises';
import { build, type Metafile, type Plugin } from 'esbuild';
import { LISTED } from '../src/surfaces/listed.ts';

const OUT = 'dist/tabwright.js';

/** Modules that the bundle holds in another form, because a start would pay for the original. */
const REPLACED: { module: RegExp; by: string }[] = [
  // The result instead of the module that computes it.
  { module: /[\\/]src[\\/]surfaces[\\/]listed\.ts$/, by: `export const LISTED = ${JSON.stringify(LISTED)};` },
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

/** A static import of an external package would be loaded at every start, whichever module asks for it. */
function checkLazy({ outputs }: Metafile): void {
  const eager = outputs[OUT]?.imports.filter(
    ({ kind, path }) => kind === 'import-statement' && /playwright/.test(path),
  );
  if (eager?.length) throw new Error('playwright-core must be imported dynamically: the bundle would load it at start');
}

await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { tabwright: 'src/main.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['playwright-core'],
  plugins: [replace],
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
checkLazy(metafile);
await chmod(OUT, 0o755);
console.log(`${OUT}: ${Math.round((metafile.outputs[OUT]?.bytes ?? 0) / 1024)} KB, ${LISTED.length} tools`);
