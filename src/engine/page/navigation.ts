// Navigations of a page: to a url, or to the same one again, until its document has come so far.
import type { FrameTree, LoadState } from './frame-tree.ts';

/** The server sent a file to save instead of a document: the page stays where it is. */
export class BecameDownload extends Error {}

export async function goto(tree: FrameTree, url: string, state: LoadState): Promise<void> {
  const { loader } = tree;
  // Listens before the answer comes: the document may be there at once.
  const committed = tree.committedAfter(loader);
  committed.catch(() => undefined); // a navigation that does not come about has no document
  const { loaderId, errorText, isDownload } = await tree.main.send('Page.navigate', { url });
  if (isDownload) throw new BecameDownload(`${url} is a download.`);
  if (errorText) throw new Error(errorText);
  if (loaderId === undefined) return; // another place in the same document
  if (tree.loader !== loaderId) await committed;
  if (tree.loader !== loaderId)
    throw new Error(`Navigation to "${url}" is interrupted by another navigation to "${tree.mainFrame.url}"`);
  await tree.reached(state);
}

/** Without a state, until the document is another one. */
export async function reload(tree: FrameTree, state?: LoadState): Promise<void> {
  const committed = tree.committedAfter(tree.loader);
  committed.catch(() => undefined); // reported below, unless the command is refused
  await tree.main.send('Page.reload', {});
  await committed;
  if (state !== undefined) await tree.reached(state);
}
