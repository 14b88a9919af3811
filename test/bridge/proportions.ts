// Counts the tests of the bridge: of pure parts, over a stub, and with the real agent-browser.
import type { Reporter, TestModule } from 'vitest/node';

/** Share of all tests in percent: what was asked for, and how far from it is still fine. */
export const WANTED = {
  unit: { about: 70, least: 60, most: 80 },
  integration: { about: 25, least: 17, most: 35 },
  'end-to-end': { about: 5, least: 3, most: 10 },
} as const;

type Kind = keyof typeof WANTED;

export const kindOf = (file: string): Kind => {
  if (/[\\/]bridge[\\/]stub[\\/]/.test(file)) return 'integration';
  return /[\\/]bridge[\\/]real[\\/]/.test(file) ? 'end-to-end' : 'unit';
};

/** The share of each kind, in percent. */
export function sharesOf(counts: Readonly<Record<Kind, number>>): Record<Kind, number> {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, (100 * count) / all])) as Record<
    Kind,
    number
  >;
}

export const outOfProportion = (shares: Readonly<Record<Kind, number>>): string[] =>
  Object.entries(WANTED)
    .filter(([kind, { least, most }]) => shares[kind as Kind] < least || shares[kind as Kind] > most)
    .map(([kind]) => kind);

export default class Proportions implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts: Record<Kind, number> = { unit: 0, integration: 0, 'end-to-end': 0 };
    for (const module of modules) counts[kindOf(module.moduleId)] += [...module.children.allTests()].length;
    const shares = sharesOf(counts);
    const parts = Object.entries(counts).map(
      ([kind, count]) => `${count} ${kind} (${shares[kind as Kind].toFixed(1)} %)`,
    );
    console.log(`\nTests of the bridge: ${parts.join(', ')}`);
    const odd = outOfProportion(shares);
    if (odd.length === 0) return;
    console.error(`Out of proportion: ${odd.join(', ')}`);
    process.exitCode = 1;
  }
}
