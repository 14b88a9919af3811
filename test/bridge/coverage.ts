// How `npm run coverage:bridge` runs: the tests of the bridge alone, with what they cover of it and in which proportions.
import { defineConfig } from 'vitest/config';
import { usual } from '../../vitest.config.ts';

export default defineConfig({
  test: {
    ...usual,
    include: ['test/bridge/**/*.test.ts'],
    isolate: false,
    reporters: ['dot', './test/bridge/proportions.ts'],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['src/bridge/**'],
      reporter: ['text'],
      thresholds: { lines: 85, branches: 80, functions: 85 },
    },
  },
});
