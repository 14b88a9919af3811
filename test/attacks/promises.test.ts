// SECURITY.md promises nothing that no test attacks, and every finding of the last attack has tests that repeat it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';

const security = readFileSync('SECURITY.md', 'utf8');
const section = security.split('## What is promised')[1]?.split('\n## ')[0] ?? '';

/** The cells of each promise: against whom, what, held by, attacked by. */
const promises = section
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| against'))
  .map(line =>
    line
      .split('|')
      .map(cell => cell.trim())
      .slice(1, -1),
  );

const filesIn = (cell = ''): string[] => cell.split(', ').map(path => path.trim());

it('every promise names code that holds it and tests that attack it', () => {
  expect(promises.length).toBeGreaterThan(15);
  for (const [, promise = '', held, attacked] of promises) {
    const missing = [...filesIn(held), ...filesIn(attacked)].filter(path => path === '' || !existsSync(path));
    expect([promise.slice(0, 60), missing]).toEqual([promise.slice(0, 60), []]);
    expect(filesIn(attacked).every(path => /^test\/.*\.test\.ts$/.test(path))).toBe(true);
  }
});

it('every file of attacks belongs to a promise', () => {
  const files = readdirSync('test/attacks').filter(name => name.endsWith('.test.ts') && name !== 'promises.test.ts');
  expect(files.filter(name => !section.includes(`test/attacks/${name}`))).toEqual([]);
});

it('every guide that promises safety is behind a promise', () => {
  const guides = readdirSync('docs').filter(name =>
    /^##+ Security/m.test(readFileSync(posix.join('docs', name), 'utf8')),
  );
  const named = ['policy.md', 'url-rules.md', 'shared-server.md', 'sessions.md', 'secrets.md', ...guides];
  expect(named.filter(name => !section.includes(`docs/${name}`))).toEqual([]);
});

it('each of the 18 findings has a test with its number', () => {
  const texts = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => readFileSync(posix.join('test', name.replaceAll('\\', '/')), 'utf8'));
  const missing = Array.from({ length: 18 }, (_, at) => `15.${at + 1}`).filter(
    number => !texts.some(text => new RegExp(`['"\`]${number.replace('.', '\\.')} `).test(text)),
  );
  expect(missing).toEqual([]);
});
