// What is published: one package that needs no other.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

it('has no dependencies', () => {
  const kinds = Object.keys(read<object>('package.json')).filter(key => /dependencies$/i.test(key));
  expect(kinds).toEqual(['devDependencies']);
  const { packages } = read<{ packages: Record<string, { dev?: boolean; devOptional?: boolean }> }>(
    'package-lock.json',
  );
  const needed = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional);
  expect(needed.map(([path]) => path)).toEqual([]);
});

it('imports nothing but its own files and Node', async () => {
  const list = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(list) as [{ files: { path: string }[] }];
  const scripts = files.map(({ path }) => path).filter(path => path.endsWith('.js'));
  expect(scripts).toContain('dist/tabwright.js');
  const { metafile } = await build({
    entryPoints: scripts,
    outdir: 'nowhere',
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    write: false,
    metafile: true,
  });
  const imports = Object.values(metafile.inputs).flatMap(input => input.imports);
  const others = imports.filter(({ external, path }) => external && !isBuiltin(path));
  expect([...new Set(others.map(({ path }) => path))]).toEqual([]);
});
