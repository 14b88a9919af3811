// Builds one page from its source and the installed packages.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

export interface BuiltPage {
  script: string;
  style: string;
}

/** Pages that are built with another package under React's names. */
const ALIASES: Record<string, Record<string, string>> = {
  'react-17': { react: 'react-17', 'react-dom': 'react-dom-17' },
  preact: { react: 'preact/compat', 'react-dom': 'preact/compat' },
};

interface SvelteCompiler {
  compile(source: string, options: object): { js: { code: string } };
}

const svelte = (packages: string): Plugin => ({
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const file = pathToFileURL(join(packages, 'svelte/src/compiler/index.js')).href;
      const { compile }: SvelteCompiler = await import(file);
      const options = { filename: path, generate: 'client', dev: false };
      return { contents: compile(await readFile(path, 'utf8'), options).js.code };
    });
  },
});

export async function buildPage(source: string, packages: string): Promise<BuiltPage> {
  const name = basename(source).replace(/\.\w+$/, '');
  const { outputFiles } = await build({
    entryPoints: [source],
    outdir: 'unwritten',
    write: false,
    bundle: true,
    minify: true,

    format: 'iife',
    jsx: 'automatic',
    // Not those of this project, whose JSX is Preact's.
    tsconfigRaw: {},
    logLevel: 'silent',
    nodePaths: [packages],
    alias: ALIASES[name] ?? {},
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env': '{}',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    loader: {
      '.png': 'dataurl',
      '.gif': 'dataurl',
      '.svg': 'dataurl',
      '.ttf': 'dataurl',
      '.woff2': 'dataurl',
      '.woff': 'dataurl',
    },
    plugins: [svelte(packages)],
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}
