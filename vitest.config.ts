// How the tests run: real browsers need processes of their own, and few of them at once.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    // The default is one second, which a busy machine may need for the first look.
    expect: { poll: { timeout: 15_000 } },
    // Thousands of tests drive a real browser on two cores: one hiccup of the machine is no fault. The report names those tried twice.
    retry: 1,
    reporters: ['default'],
  },
});
