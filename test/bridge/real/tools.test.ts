// Every tool that maps to one command, with the real agent-browser: what it is asked for happens in the page, or stands in its answer.
// AGENT_BROWSER_TEST_BIN names another version; what a version does not have is left out for it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWithin, versionIn } from '../../../src/bridge/cli/versions.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { type Driver, startDriver } from './driver.ts';
import { STEPS, type Step } from './steps.ts';

let site: Site;
let driver: Driver;
let version: string;
beforeAll(async () => {
  site = await startSite();
  driver = await startDriver();
  const { parsedJson } = await driver.call('health', { start_browser: false });
  version = versionIn(JSON.stringify(parsedJson)) ?? 'none';
}, 90_000);
afterAll(async () => {
  const left = await driver.close();
  await site.close();
  expect(left).toEqual([]);
}, 90_000);

/** Why the step did not do what it should; undefined when it did. */
async function faultOf({ tool, args = {}, sees, shows }: Step): Promise<string | undefined> {
  const url = args.page === undefined ? {} : { url: `${site.url}/${args.page}` };
  const { page: _, ...rest } = args;
  const { ok, stdout, stderr } = await driver.call(tool, { ...rest, ...url });
  const told = `${tool} ${JSON.stringify(args)}: ${stdout}${stderr}`.slice(0, 300);
  if (!ok || (sees && !sees.test(stdout))) return told;
  if (!shows) return undefined;
  const [script, wanted] = shows;
  const { result } = await driver.data('eval', { script });
  return result === wanted ? undefined : `${told} left ${JSON.stringify(result)} instead of ${JSON.stringify(wanted)}`;
}

describe('every tool', () => {
  it.each(Object.keys(STEPS))(
    'S0-25 S0-55 does what it says: %s',
    async part => {
      const faults: string[] = [];
      for (const step of STEPS[part] ?? []) {
        if (step.not && isWithin(version, step.not)) continue;
        const fault = await faultOf(step);
        if (fault !== undefined) faults.push(fault);
      }
      expect(faults).toEqual([]);
    },
    180_000,
  );
});
