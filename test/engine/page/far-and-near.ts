// Pages of three sites on loopback, each as small as its test needs it, and the frames that a session sees in them.
import { expect } from 'vitest';
import type { FrameRow } from '../../../src/engine/tab/frames.ts';
import type { Kit } from '../../kit.ts';

export type Where = 'here' | 'there' | 'elsewhere';

/** The address of a page of that site, with that title and body. */
export function pageAt(kit: Kit, where: Where, title: string, body = ''): string {
  const sites = {
    here: kit.site.url,
    there: kit.site.otherSiteUrl,
    elsewhere: kit.site.otherSiteUrl.replace('localhost', 'third.localhost'),
  };
  const html = `<!doctype html><title>${title}</title><p>Text of ${title}</p>${body}`;
  return `${sites[where]}/html?of=${encodeURIComponent(html).replaceAll("'", '%27')}`;
}

export const frame = (url: string): string => `<iframe src="${url}"></iframe>`;

export async function frameRows(kit: Kit): Promise<FrameRow[]> {
  const { data } = await kit.call('tab_list', { frames: true });
  return (data as { frames: FrameRow[] }).frames;
}

/** The titles of the frames, as scripts in each of them read it, indented by depth. */
async function titles(kit: Kit): Promise<string[]> {
  const rows = await frameRows(kit);
  const depth = (row: FrameRow | undefined): number =>
    row?.parentId === undefined ? 0 : 1 + depth(rows.find(({ id }) => id === row.parentId));
  return Promise.all(
    rows.map(async row => {
      const { ok, text } = await kit.call('evaluate', { expression: 'document.title', frameId: row.frameId });
      return `${'  '.repeat(depth(row))}${ok ? text : `? ${text}`}`;
    }),
  );
}

/** Those frames are there, in the end, each reached by scripts and by the snapshot. */
export async function showsFrames(kit: Kit, expected: string[]): Promise<void> {
  await expect.poll(() => titles(kit)).toEqual(expected);
  const snapshot = await kit.ok('snapshot');
  for (const title of expected) expect(snapshot).toContain(`Text of ${title.trim()}`);
  expect(snapshot.match(/Text of/g)).toHaveLength(expected.length);
}
