// A dialog that was open in a tab before we had anything to do with it. Chrome tells nothing of it and lets nobody answer it,
// but it dismisses it by itself when a person goes to another tab: so do we.
import { Failure } from '../../../errors.ts';
import { advice, phrase, toolName } from '../../../text.ts';
import type { Limits } from '../../limits.ts';
import type { AttachedTab } from './attached-tab.ts';
import { SPARE } from './hidden-targets.ts';

export async function dismissUnseenDialog(target: AttachedTab, limits: Limits): Promise<void> {
  const { line } = target.host;
  await target.activate();
  const beside = await besides(target);
  const spare = beside ? undefined : (await line.send('Target.createTarget', { url: SPARE })).targetId;
  await line.send('Target.activateTarget', { targetId: spare ?? beside?.id ?? '' });
  await target.activate();
  if (spare !== undefined) await line.send('Target.closeTarget', { targetId: spare });
  if (await target.answers(limits)) return;
  throw new Failure(
    'page_unresponsive',
    `No dialog could be dismissed in ${target.url.slice(0, 200)}: it still does not answer. A script keeps it busy, or DevTools or another program holds it.`,
    phrase`Use another tab${advice(phrase`: see ${toolName('tab_list')} and ${toolName('tab_new')}`)}. Or answer it in the window of the browser.`,
  );
}

/** Another tab of the same window. */
async function besides(target: AttachedTab): Promise<AttachedTab | undefined> {
  const windowId = await target.windowId();
  for (const other of target.host.listed) {
    if (other === target) continue;
    // One that has just been closed is in no window.
    if ((await other.windowId().catch(() => undefined)) === windowId) return other;
  }
  return undefined;
}
