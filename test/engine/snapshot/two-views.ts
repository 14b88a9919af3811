// One page seen twice at the same moment: by our capture, and by Chrome's own accessibility tree.
import type { BrowserContext, CDPSession, Frame, Page as Tab } from 'playwright-core';
import { applyAxNode, nodesToAsk } from '../../../src/engine/snapshot/capture/capture.ts';
import { decode, type ProcessSnapshot } from '../../../src/engine/snapshot/capture/decode.ts';
import { COMPUTED_STYLES, type SnapPage } from '../../../src/engine/snapshot/capture/node.ts';

export type AXNode = Awaited<ReturnType<typeof fullTree>>[number];

export interface Views {
  page: SnapPage;
  chrome: { process: string; nodes: AXNode[] }[];
}

/** Some pages change by themselves for a while. */
const TRIES = 40;

interface Process {
  key: string;
  session: CDPSession;
  frame: Frame;
}

/** One session per process: the tab's own, and one for each frame that has a process of its own. */
async function processes(context: BrowserContext, tab: Tab): Promise<Process[]> {
  const found: Process[] = [{ key: '0', session: await context.newCDPSession(tab), frame: tab.mainFrame() }];
  for (const frame of tab.frames().slice(1)) {
    try {
      found.push({ key: String(found.length), session: await context.newCDPSession(frame), frame });
    } catch (error) {
      if (!String(error).includes('does not have a separate CDP session')) throw error;
    }
  }
  return found;
}

const capture = (session: CDPSession) =>
  session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...COMPUTED_STYLES], includePaintOrder: true });

async function part(process: Process, all: Process[]): Promise<ProcessSnapshot> {
  const snap = await capture(process.session);
  let above = process.frame.parentFrame();
  if (!above) return { process: process.key, snap };
  while (!all.some(other => other.frame === above)) above = above?.parentFrame() ?? null;
  const parent = all.find(other => other.frame === above)!;
  const frameId = snap.strings[snap.documents[0]!.frameId]!;
  const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId });
  return { process: process.key, snap, owner: { process: parent.key, id: backendNodeId } };
}

async function fullTree(session: CDPSession, frameId: string) {
  return (await session.send('Accessibility.getFullAXTree', { frameId })).nodes;
}

/** What a state brings about (boxes skipped or laid out again) is done when two frames have been drawn. */
const TWO_FRAMES = 'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/** Both views of the same moment: the capture before and the one after Chrome's tree must be equal. */
export async function views(context: BrowserContext, tab: Tab): Promise<Views> {
  await tab.evaluate(TWO_FRAMES);
  const all = await processes(context, tab);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const parts = await Promise.all(all.map(process => part(process, all)));
      const chrome = await Promise.all(all.map((process, i) => chromeView(process, parts[i]!)));
      const page = decode(parts);
      await askChrome(page, all);
      const after = await Promise.all(all.map(({ session }) => capture(session)));
      if (fingerprint(parts.map(({ snap }) => snap)) === fingerprint(after)) return { page, chrome };
    }
  } finally {
    await Promise.all(all.map(({ session }) => session.detach()));
  }
  throw new Error(`${tab.url()} never stands still`);
}

async function chromeView({ key, session }: Process, { snap }: ProcessSnapshot): Promise<Views['chrome'][number]> {
  const trees = await Promise.all(snap.documents.map(doc => fullTree(session, snap.strings[doc.frameId]!)));
  return { process: key, nodes: trees.flat() };
}

async function askChrome(page: SnapPage, all: Process[]): Promise<void> {
  for (const node of nodesToAsk(page)) {
    const { session } = all.find(({ key }) => key === node.process)!;
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      backendNodeId: node.id,
      fetchRelatives: false,
    });
    if (nodes[0]) applyAxNode(node, nodes[0]);
    // Boxes are asked for their mixed state alone: their names are ours, and under test.
    if (node.tag === 'input' && node.attrs['aria-labelledby'] !== '') node.name = undefined;
  }
}

const fingerprint = (snaps: ProcessSnapshot['snap'][]): string =>
  JSON.stringify(snaps.map(snap => [snap.strings, snap.documents.map(doc => [doc.nodes, doc.layout.nodeIndex])]));
