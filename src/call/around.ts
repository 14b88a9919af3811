// Around: what a dialect that prints its own answers shows beside its words, taken in the same turn as the deed.
import type { Around } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { within } from '../engine/limits.ts';
import { waitForStableDom } from '../engine/navigation/settle.ts';
import { takeSnapshot } from '../engine/snapshot/snapshot.ts';
import type { Tab } from '../engine/tab/tab.ts';
import { Failure } from '../errors.ts';
import type { Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { Bounds } from './bounds.ts';
import { Gate } from './gate.ts';
import { explain } from './late.ts';
import type { Call } from './message.ts';
import type { Way } from './reach.ts';
import { refsOf, sayFailure } from './speak.ts';
import { timesOf } from './times.ts';
import type { ToolIndex } from './translate.ts';

/** What is looked at, and on whose behalf. */
export interface Scene {
  server: Server;
  table: ToolIndex;
  call: Call;
  way: Way;
  /** What run() gave. */
  data: unknown;
  bounds: Bounds;
}

/** On top of the time of an action: a large page takes its time to read. */
const READ_MS = 5_000;

/** It never fails because of what it cannot see: the deed is done, and must be told. */
export async function lookAround(scene: Scene): Promise<Around> {
  const { server, call, way, data } = scene;
  const { session, row } = way;
  if (!DIALECTS[call.dialect ?? 'native']?.print || !session) return {};
  const { context, shown } = session;
  const closedItself = way.tab !== undefined && !context.tabs.has(way.tab.id);
  const content = row?.shows?.includes('content') ? await contentOf(scene, session, closedItself) : {};
  const tab = context.active;
  const showsPages = row?.shows?.includes('pages') || closedItself || Object(data).opened !== undefined;
  if (showsPages) shown.pages = [...context.tabs.keys()];
  shown.selected = tab?.id;
  return {
    ...(tab && emulated(tab, timesOf(call, server.options, tab).navigation)),
    ...(tab?.dialog && { dialog: tab.dialog }),
    ...(showsPages && { pages: [...context.tabs.values()].map(one => ({ url: one.url, selected: one === tab })) }),
    ...content,
  };
}

function emulated(tab: Tab, navigation: number): Around {
  const { network, cpu } = tab.emulation.settings;
  return { ...(network !== 'none' && { network, navigation }), ...(cpu !== 1 && { cpu }) };
}

async function contentOf(scene: Scene, session: Session, closedItself: boolean): Promise<Around> {
  const { way, data } = scene;
  if (way.tool?.name === 'snapshot') {
    if (way.tab) session.shown.countSnapshot(way.tab);
    return { content: String(Object(data).text) };
  }
  const tab = session.context.active;
  if (closedItself || !tab) return { noContent: 'the page was closed.' };
  if (tab.dialog) return { noContent: 'a dialog blocks the page.' };
  try {
    const content = await taken(scene, tab);
    session.shown.countSnapshot(tab);
    return { content };
  } catch (error) {
    scene.bounds.signal.throwIfAborted();
    return { noContent: await reason(scene, tab, error) };
  }
}

/** May it be read at all, and is it quiet enough to be worth reading? */
async function taken({ server, table, call, way, bounds }: Scene, tab: Tab): Promise<string> {
  const tool = table.find(({ name }) => name === 'snapshot');
  if (!tool) throw new Failure('unknown_tool', 'The tool snapshot is not offered.');
  const gate = new Gate(server, { call, tool, args: {}, input: {}, session: undefined }, way.gate);
  // Nobody can be asked any more: the deed is done.
  way.gate?.begin();
  await gate.enter();
  gate.onPage(tab.url);
  const { action } = timesOf(call, server.options, tab);
  const late = () => new Failure('timeout', 'The page did not answer in time.');
  const limits = Object.assign(within(bounds, action + READ_MS, late), refsOf(call.dialect, way.session));
  try {
    await tab.ready(limits);
    if (way.tool?.effect !== 'read') await waitForStableDom(tab, tab.emulation.settings.cpu, limits);
    return (await takeSnapshot(tab, { style: 'uids' }, limits)).text;
  } finally {
    limits.done();
  }
}

/** In the caller's words. A page that is stuck is freed on the way. */
async function reason({ server, call, way }: Scene, tab: Tab, error: unknown): Promise<string> {
  const { message, hint } = sayFailure(call, way.tool, await explain(error, tab, server.log));
  return hint === undefined ? message : `${message} ${hint}`;
}
