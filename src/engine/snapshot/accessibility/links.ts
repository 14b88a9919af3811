// Where a link leads: its address as the browser would open it.

import type { SnapDoc } from '../capture/node.ts';
import type { PrintNode } from '../print/print-node.ts';

/** '' for what leads nowhere: no link, no address, or a script in its place. */
export function linkOf({ own, node }: PrintNode): string {
  const href = own === 'link' ? (node.attrs.href ?? node.attrs['xlink:href']) : undefined;
  if (href === undefined || /^\s*javascript:/i.test(href)) return '';
  const from = addressOf(node.doc);
  return URL.canParse(href, from) ? new URL(href, from).href : href;
}

const known = new WeakMap<SnapDoc, string>();

/** What relative addresses of a document start from. */
function addressOf(doc: SnapDoc): string {
  const address = known.get(doc) ?? findAddress(doc);
  known.set(doc, address);
  return address;
}

function findAddress(doc: SnapDoc): string {
  const base = doc.nodes.find(({ tag, html, attrs }) => tag === 'base' && html && attrs.href !== undefined);
  const href = base?.attrs.href;
  return href !== undefined && URL.canParse(href, doc.url) ? new URL(href, doc.url).href : doc.url;
}
