// npm run fuzz -- [--minutes N] [--seed N] [--only WORD]: the fuzzing for longer than in the tests.
import { parseArgs } from 'node:util';
import { campaign, figuresLine } from './campaign.ts';
import { PARTS, seedOf } from './parts.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const seed = seedOf(values.seed ?? process.env.FUZZ_SEED);
const parts = PARTS.filter(({ name }) => name.includes(values.only));
console.log(`seed ${seed}`);
for (const part of parts) {
  const figures = await campaign(part, seed, (Number(values.minutes) * 60_000) / parts.length);
  console.log(figuresLine(figures));
  for (const fault of figures.faults) console.log(`  ${fault}`);
  if (figures.faults.length > 0) process.exitCode = 1;
}
process.exit();
