// The table of resources: what a client can read of a tab or a session, by which tool, and which changes concern it.
import type { ChangeSubject } from '../../engine/tab/change-events.ts';

export interface Kind {
  name: string;
  of: 'tab' | 'session';
  title: string;
  description: string;
  mimeType: string;
  tool: string;
  changesWith: ChangeSubject;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'snapshot',
    of: 'tab',
    title: 'Snapshot',
    description: 'The page as text, with a ref for all that can be acted on.',
    mimeType: 'text/plain',
    tool: 'snapshot',
    changesWith: 'page',
  },
  {
    name: 'screenshot',
    of: 'tab',
    title: 'Screenshot',
    description: 'A picture of what the window shows.',
    mimeType: 'image/png',
    tool: 'screenshot',
    changesWith: 'page',
  },
  {
    name: 'console',
    of: 'tab',
    title: 'Console',
    description: 'The latest console messages and uncaught errors.',
    mimeType: 'text/plain',
    tool: 'console',
    changesWith: 'console',
  },
  {
    name: 'network',
    of: 'tab',
    title: 'Network log',
    description: 'The latest requests: method, address, status, type, size and time.',
    mimeType: 'text/plain',
    tool: 'network_log',
    changesWith: 'network',
  },
  {
    name: 'downloads',
    of: 'session',
    title: 'Downloads',
    description: 'The downloads of the session: where each file is, or how far it has come.',
    mimeType: 'text/plain',
    tool: 'downloads',
    changesWith: 'downloads',
  },
];

/** One resource: of which kind, in which session (as its caller names it), of which tab. */
export interface ResourceAddress {
  kind: Kind;
  session: string;
  tabId?: number | undefined;
}

const SCHEME = 'tabwright://session';
const URI = new RegExp(`^${SCHEME}/([A-Za-z0-9._@-]{1,129})/(?:tab/([1-9]\\d{0,8})/)?([a-z]{1,20})$`);

export const uriOf = ({ kind, session, tabId }: ResourceAddress): string =>
  kind.of === 'tab' ? `${SCHEME}/${session}/tab/${tabId}/${kind.name}` : `${SCHEME}/${session}/${kind.name}`;

export const templateOf = ({ of, name }: Kind): string =>
  of === 'tab' ? `${SCHEME}/{session}/tab/{tab}/${name}` : `${SCHEME}/{session}/${name}`;

/** Undefined for what is no address of ours. */
export function resourceAt(uri: string): ResourceAddress | undefined {
  const [, session, tab, name] = URI.exec(uri) ?? [];
  const kind = KINDS.find(one => one.name === name && one.of === (tab === undefined ? 'session' : 'tab'));
  if (!kind || session === undefined) return undefined;
  return { kind, session, ...(tab !== undefined && { tabId: Number(tab) }) };
}
