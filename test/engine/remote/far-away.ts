// Browsers that run elsewhere, each behind a line that can be cut, and a server that uses them.
import { afterEach } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';
import { type Line, lineTo } from './line.ts';

export const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export interface FarBrowser extends OtherBrowser {
  line: Line;
}

export async function farBrowser(): Promise<FarBrowser> {
  const far = await otherBrowser();
  ends.push(() => far.end());
  const line = await lineTo(far.endpoint);
  ends.push(() => line.end());
  return { ...far, line };
}

export async function serverOn(browsers: readonly string[], ...flags: string[]): Promise<Kit> {
  const kit = await startKit(...browsers.flatMap(url => ['--browsers', url]), ...flags);
  ends.push(() => kit.close());
  return kit;
}

/** The pages that the browser has, as it says itself. */
export async function pagesOf({ endpoint }: OtherBrowser): Promise<{ id: string; url: string }[]> {
  const rows = (await (await fetch(`${endpoint}/json/list`)).json()) as { id: string; url: string; type: string }[];
  return rows.filter(({ type, url }) => type === 'page' && url !== 'about:blank');
}
