// Loads playwright-core when a browser is first needed.
import { createRequire } from 'node:module';

/** By require: an import would first search seven megabytes of CommonJS for the names of its exports. */
export const playwright = (): typeof import('playwright-core') =>
  createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');
