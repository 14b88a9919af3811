// The fuzzing, for as long as the tests may take; `npm run fuzz` goes on for longer. FUZZ_SEED repeats a run.
import { expect, it } from 'vitest';
import { campaign, figuresLine } from './campaign.ts';
import { PARTS, seedOf } from './parts.ts';

/** Of the minute that all parts have together; starting and ending takes the rest. */
const PART_MS = 9_000;

/** One seed for all runs of the tests, so that they say the same of the same code; `npm run fuzz` takes another one each time. */
const seed = seedOf(process.env.FUZZ_SEED ?? '20261118');

it.each(PARTS.map(part => [part.name, part] as const))(
  `15 fuzzing: %s (FUZZ_SEED=${seed})`,
  async (_, part) => {
    const figures = await campaign(part, seed, PART_MS);
    console.log(`${figuresLine(figures)}, seed ${seed}`);
    expect(figures.faults).toEqual([]);
  },
  // A case that hangs is told as such before.
  180_000,
);
