// The sources of the libraries that read a page: they run inside the page only. The build replaces this module by its result.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** They declare `Readability` and `TurndownService`. */
const FILES = ['@mozilla/readability/Readability.js', 'turndown/dist/turndown.js'];

const { resolve } = createRequire(import.meta.url);

export const LIBRARIES = FILES.map(name => readFileSync(resolve(name), 'utf8')).join('\n');
