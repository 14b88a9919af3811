// Everyday jobs on pages of the frameworks, done by refs through the front door.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { ADAPTER } from './adapters.ts';
import { installed } from './install.ts';
import { SMALL_JOBS } from './jobs/index.ts';
import { OPEN } from './open.ts';
import { Player } from './play.ts';
import { type Pages, startPages } from './serve.ts';

const packages = installed('small');

describe.skipIf(packages === undefined)('16: jobs on pages of frameworks', () => {
  let kit: Kit;
  let pages: Pages;

  beforeAll(async () => {
    [kit, pages] = await Promise.all([startKit(), startPages(packages ?? '')]);
  });
  afterAll(async () => {
    await kit.close();
    await pages.close();
  });

  describe.each(Object.entries(SMALL_JOBS))('%s', (page, jobs) => {
    for (const job of jobs)
      it.skipIf(OPEN[page]?.[job.name] !== undefined)(job.name, async () => {
        const player = new Player(ADAPTER, ({ tool, args }) => kit.ok(tool, args));
        expect(await player.play(pages.url(page), job)).toBeUndefined();
      });
  });
});
