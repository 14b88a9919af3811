// What kept the main thread busy: long tasks and where they were spent, and how much time each kind of work took.
import type { Helpers, Types } from '@paulirish/trace_engine';
import { ms, type Scene } from './page-words.ts';
import type { LongTask, Reading } from './reading.ts';

type Node = Helpers.TreeHelpers.TraceEntryNode;
type Event = Types.Events.Event;
type Kind = keyof Reading['busy'];

const LONG_MS = 50;
const WORST = 3;

const KINDS: Readonly<Record<string, Kind>> = {
  EvaluateScript: 'scripting',
  FunctionCall: 'scripting',
  ProfileCall: 'scripting',
  'v8.compile': 'scripting',
  'v8.run': 'scripting',
  RunMicrotasks: 'scripting',
  TimerFire: 'scripting',
  EventDispatch: 'scripting',
  FireAnimationFrame: 'scripting',
  MajorGC: 'scripting',
  MinorGC: 'scripting',
  UpdateLayoutTree: 'layout',
  Layout: 'layout',
  PrePaint: 'painting',
  Paint: 'painting',
  Layerize: 'painting',
  Commit: 'painting',
};

/** Work that tells more by its name than by what it calls. */
const WORK: Readonly<Record<string, string>> = {
  ParseHTML: 'parsing HTML',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'painting',
  Paint: 'painting',
  'v8.compile': 'compiling scripts',
  MajorGC: 'garbage collection',
  MinorGC: 'garbage collection',
  EvaluateScript: 'running a script',
};

export function busyTimes(scene: Scene): Reading['busy'] {
  const total = { scripting: 0, layout: 0, painting: 0 };
  for (const { entry, selfTime } of nodesOf(scene)) {
    const kind = KINDS[entry.name];
    if (kind) total[kind] += selfTime ?? 0;
  }
  return { scripting: ms(total.scripting), layout: ms(total.layout), painting: ms(total.painting) };
}

export function longTasks(scene: Scene): Reading['longTasks'] {
  const tasks = nodesOf(scene)
    .filter(({ entry }) => entry.name === 'RunTask' && ms(durationOf(entry)) > LONG_MS)
    .sort((a, b) => durationOf(b.entry) - durationOf(a.entry));
  const lengths = tasks.map(({ entry }) => ms(durationOf(entry)));
  return {
    count: tasks.length,
    longest: lengths[0] ?? 0,
    blocking: lengths.reduce((sum, length) => sum + length - LONG_MS, 0),
    worst: tasks.slice(0, WORST).map(node => longTask(node, scene)),
  };
}

const longTask = (node: Node, scene: Scene): LongTask => ({
  ms: ms(durationOf(node.entry)),
  at: scene.at(node.entry.ts),
  where: whereIn(node, scene),
});

/** Follows the work that took most of its caller's time, and tells the last step that has a name. */
function whereIn(task: Node, scene: Scene): string {
  const steps: string[] = [];
  let node: Node | undefined = task;
  while (node) {
    const step = stepOf(node.entry, scene);
    // A function that calls itself is one step.
    if (step !== undefined && step !== steps.at(-1)) steps.push(step);
    const half: number = durationOf(node.entry) / 2;
    node = node.children.find(({ entry }) => durationOf(entry) > half);
  }
  const [last = 'work of the browser itself', caller] = steps.reverse();
  return caller === undefined ? last : `${last}, by ${caller}`;
}

function stepOf(entry: Event, scene: Scene): string | undefined {
  const { callFrame } = entry as Event & { callFrame?: Parameters<Scene['frame']>[0] };
  // What has no address is the browser's own.
  if (callFrame) return callFrame.url ? scene.frame(callFrame) : undefined;
  const data = (entry.args?.data ?? {}) as { type?: string; url?: string };
  if (entry.name === 'EventDispatch' && data.type) return `a listener of ${data.type}`;
  if (entry.name === 'EvaluateScript' && data.url) return scene.url(data.url);
  return WORK[entry.name];
}

const durationOf = (entry: Event): number => ('dur' in entry && typeof entry.dur === 'number' ? entry.dur : 0);

/** Of the main threads of the page's own processes, while it was the page. */
function nodesOf({ data, set }: Scene): Node[] {
  const nodes: Node[] = [];
  for (const { isOnMainFrame, threads } of data.Renderer.processes.values())
    for (const { name, tree } of isOnMainFrame ? threads.values() : [])
      if (name === 'CrRendererMain' && tree) collect([...tree.roots], nodes);
  return nodes.filter(({ entry }) => entry.ts >= set.bounds.min && entry.ts <= set.bounds.max);
}

/** Without recursion: calls may be nested thousands deep. */
function collect(open: Node[], into: Node[]): void {
  for (let node = open.pop(); node; node = open.pop()) {
    into.push(node);
    open.push(...node.children);
  }
}
