// The official conformance suite against our own HTTP stack: every scenario that a revision requires passes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listening } from '../../src/surfaces/http/listen.ts';
import { startFixture } from './server.ts';
import { failedChecks, findRunner, isForThisMachine, runSuite } from './suite.ts';

/** How many scenarios the suite requires of a server. */
const REVISIONS = { '2025-11-25': 30, '2026-07-28': 37 };

const runner = findRunner();
const isHere = runner !== undefined || isForThisMachine();
if (!isHere) console.log(`conformance: skipped. There is no Bun for ${process.platform} ${process.arch}.`);

describe.skipIf(!isHere)('S3-03: the conformance suite', () => {
  const log: string[] = [];
  let listening: Listening;
  beforeAll(async () => {
    if (!runner) throw new Error('The suite needs Bun or Node 22, and neither runs. Run: npm ci');
    listening = await startFixture(log);
  });
  afterAll(() => listening?.end());

  it.each(Object.entries(REVISIONS))(
    'requires of %s %i scenarios, and all pass',
    async (revision, count) => {
      const { code, scored, passed, checks, output } = await runSuite(runner ?? '', listening.url, revision);
      const missing = scored.filter(name => !passed.includes(name));
      console.log(`conformance ${revision}: ${passed.length} of ${scored.length} scenarios, ${checks} checks passed`);
      for (const scenario of missing.slice(0, 5))
        console.log(await failedChecks(runner ?? '', listening.url, revision, scenario));
      if (code !== 0) console.log([output.slice(-2_000), ...log.slice(-20)].join('\n'));
      expect(missing).toEqual([]);
      expect(passed).toHaveLength(count);
      expect(code).toBe(0);
    },
    240_000,
  );
});
