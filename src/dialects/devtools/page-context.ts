// What an answer shows of the page beside its text: emulation, an open dialog, the list of pages, a snapshot.
import { within } from '../../engine/limits.ts';
import { waitForStableDom } from '../../engine/navigation/settle.ts';
import { takeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Tab } from '../../engine/tab/tab.ts';
import { Failure } from '../../errors.ts';
import type { Session } from '../../session/session.ts';
import type { DialectTool } from '../definition.ts';
import type { RunningCall } from '../dialect.ts';
import { lastSnapshot } from '../wording.ts';
import { uidPrefix } from './last-shown.ts';

/** What is there when a call has ended. */
export interface PageContext {
  /** What the selected page pretends, when that is not nothing. */
  network?: string;
  cpu?: number;
  /** The time that a navigation gets, in ms. */
  navigation?: number;
  dialog?: { type: string; message: string; defaultValue: string };
  pages?: readonly { url: string; selected: boolean }[];
  content?: string;
  /** Why there is no content, although the tool shows it. */
  noContent?: string;
}

/** On top of the time of an action: a large page takes its time to read. */
const READ_MS = 5_000;

/** It never fails because of what it cannot see: the action is done, and must be reported. */
export async function pageContext(
  call: RunningCall,
  { sections = [] }: DialectTool,
  data: unknown,
  encodeFailure: (failure: Failure) => Failure,
): Promise<PageContext> {
  const { session } = call;
  if (!session) return {};
  const { context, shown } = session;
  const closedItself = call.tab !== undefined && !context.tabs.has(call.tab.id);
  const content = sections.includes('content') ? await contentOf(call, session, data, closedItself, encodeFailure) : {};
  const tab = context.active;
  const hasPages = sections.includes('pages') || closedItself || Object(data).opened !== undefined;
  if (hasPages) shown.pages = [...context.tabs.keys()];
  shown.selected = tab?.id;
  return {
    ...(tab && emulated(tab, call.times(tab).navigation)),
    ...(tab?.dialog && { dialog: tab.dialog }),
    ...(hasPages && { pages: [...context.tabs.values()].map(one => ({ url: one.url, selected: one === tab })) }),
    ...content,
  };
}

function emulated(tab: Tab, navigation: number): PageContext {
  const { network, cpu } = tab.emulation.settings;
  return { ...(network !== 'none' && { network, navigation }), ...(cpu !== 1 && { cpu }) };
}

async function contentOf(
  call: RunningCall,
  session: Session,
  data: unknown,
  closedItself: boolean,
  encodeFailure: (failure: Failure) => Failure,
): Promise<PageContext> {
  if (call.tool?.name === 'snapshot') {
    if (call.tab) session.shown.countSnapshot(call.tab);
    return { content: String(Object(data).text) };
  }
  const tab = session.context.active;
  if (closedItself || !tab) return { noContent: 'the page was closed.' };
  if (tab.dialog) return { noContent: 'a dialog blocks the page.' };
  try {
    const content = await snapshotOf(call, tab);
    session.shown.countSnapshot(tab);
    return { content };
  } catch (error) {
    call.bounds.signal.throwIfAborted();
    // A page that is stuck is freed on the way.
    const { message, hint } = encodeFailure(await call.explain(error, tab));
    return { noContent: hint === undefined ? message : `${message} ${hint}` };
  }
}

/** When the caller may read the page, and as soon as it is quiet enough to be worth reading. */
async function snapshotOf(call: RunningCall, tab: Tab): Promise<string> {
  const tool = call.tools.find(({ name }) => name === 'snapshot');
  if (!tool) throw new Failure('unknown_tool', 'The tool snapshot is not offered.');
  await call.checkAlso(tool, tab);
  const late = () => new Failure('timeout', 'The page did not answer in time.');
  const refPrefix = uidPrefix(lastSnapshot(call.session) + 1);
  const limits = Object.assign(within(call.bounds, call.times(tab).action + READ_MS, late), { refPrefix });
  try {
    await tab.ready(limits);
    if (call.tool?.effect !== 'read') await waitForStableDom(tab, tab.emulation.settings.cpu, limits);
    return (await takeSnapshot(tab, { style: 'uids' }, limits)).text;
  } finally {
    limits.done();
  }
}
