// Builds dist/web/: the page at /view, in few small files that load nothing from elsewhere.
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const FROM = 'src/web';
const TO = 'dist/web';
/** Of all files together, compressed. */
const MOST_BYTES = 60 * 1024;

/** How many bytes a browser loads, compressed. */
export async function sizeOfPage(): Promise<number> {
  const files = await Promise.all((await readdir(TO)).map(name => readFile(join(TO, name))));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}

export async function buildWeb(): Promise<void> {
  await mkdir(TO, { recursive: true });
  await build({
    entryPoints: ['main.tsx', 'styles/page.css'].map(name => ({ in: join(FROM, name), out: 'page' })),
    outdir: TO,
    bundle: true,
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    banner: { js: '/* preact, @preact/signals: MIT, Jason Miller and the Preact team. */' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const name of ['index.html', 'icon.svg']) await copyFile(join(FROM, name), join(TO, name));
  const size = await sizeOfPage();
  const told = `${TO}: ${(size / 1024).toFixed(1)} KB compressed, of at most ${MOST_BYTES / 1024}`;
  if (size > MOST_BYTES) throw new Error(told);
  console.log(told);
}
