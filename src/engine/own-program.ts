// Programs of ours that run as processes of their own, with the same Node or Bun as this one.
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');

/** The arguments that start it: a file beside this one, which the build puts into its folder of parts. Bun does not know switches of Node. */
export function ownProgram(source: string, ...nodeSwitches: string[]): string[] {
  const file = fileURLToPath(new URL(isSource ? source : basename(source).replace(/ts$/, 'js'), import.meta.url));
  if (process.versions.bun !== undefined) return [file];
  // From source, Node needs help with TypeScript.
  const loader = isSource ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : [];
  return [...nodeSwitches, ...loader, file];
}
