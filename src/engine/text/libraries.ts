// The texts of the libraries that read a page: sent into it, never run here. The build replaces this module by its result.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** They leave `Readability` and `TurndownService` behind. */
const FILES = ['@mozilla/readability/Readability.js', 'turndown/dist/turndown.js'];

const { resolve } = createRequire(import.meta.url);

export const LIBRARIES = FILES.map(name => readFileSync(resolve(name), 'utf8')).join('\n');
