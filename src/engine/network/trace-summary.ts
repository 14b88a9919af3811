// The few facts of a trace that tell most: paints, shifts, long tasks, and what the main thread was busy with.

export interface TraceEvent {
  name: string;
  cat?: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  args?: { data?: Record<string, unknown>; name?: string; frame?: string };
}

/** Times in ms. */
export interface TraceFacts {
  /** Of the last document that the trace saw begin. */
  lcp?: number;
  fcp?: number;
  cls: number;
  longTasks: { count: number; longest: number; blocking: number };
  busy: { scripting: number; layout: number; painting: number };
}

type Kind = keyof TraceFacts['busy'];

const KINDS: Readonly<Record<string, Kind>> = {
  EvaluateScript: 'scripting',
  FunctionCall: 'scripting',
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
const TASKS = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);
const LONG_MS = 50;
/** Shifts within a window of 5 s, with no pause of more than 1 s, count together. */
const WINDOW_MS = 5_000;
const PAUSE_MS = 1_000;
const MOST_SPANS = 1_000_000;

interface Span {
  thread: string;
  start: number;
  end: number;
  kind: Kind | 'task';
}

export class Summary {
  /** CDP id of the tab's main frame. */
  readonly #frame: string;
  readonly #spans: Span[] = [];
  readonly #shifts: { at: number; score: number }[] = [];
  /** The threads that show the tab, as `pid:tid`, and their processes. */
  readonly #mains = new Set<string>();
  readonly #processes = new Set<number>();
  #navigated: number | undefined;
  #lcp: number | undefined;
  #fcp: number | undefined;

  constructor(frame: string) {
    this.#frame = frame;
  }

  add(events: readonly TraceEvent[]): void {
    for (const event of events) this.#see(event);
  }

  facts(): TraceFacts {
    const spans = this.#spans
      .filter(({ thread }) => this.#mains.has(thread) && this.#processes.has(Number(thread.split(':')[0])))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    const since = (at: number | undefined) =>
      at === undefined || this.#navigated === undefined || at < this.#navigated
        ? undefined
        : round(at - this.#navigated);
    const [lcp, fcp] = [since(this.#lcp), since(this.#fcp)];
    return {
      ...(lcp === undefined ? {} : { lcp }),
      ...(fcp === undefined ? {} : { fcp }),
      cls: worstWindow(this.#shifts),
      longTasks: longTasks(spans),
      busy: busy(spans),
    };
  }

  #see(event: TraceEvent): void {
    const { name, ph, pid, tid, dur, args } = event;
    const at = event.ts / 1_000;
    const thread = `${pid}:${tid}`;
    if (ph === 'X' && dur !== undefined) {
      const kind = TASKS.has(name) ? 'task' : KINDS[name];
      if (kind && this.#spans.length < MOST_SPANS) this.#spans.push({ thread, start: at, end: at + dur / 1_000, kind });
    } else if (name === 'thread_name' && args?.name === 'CrRendererMain') this.#mains.add(thread);
    else if (name === 'TracingStartedInBrowser' || name === 'FrameCommittedInBrowser')
      this.#learnProcess(name, args?.data);
    else this.#seeMoment(event, at);
  }

  #learnProcess(name: string, data: Record<string, unknown> | undefined): void {
    const frames = name === 'FrameCommittedInBrowser' ? [data] : ((data?.frames ?? []) as Record<string, unknown>[]);
    for (const frame of frames)
      if (frame?.frame === this.#frame && typeof frame.processId === 'number') this.#processes.add(frame.processId);
  }

  #seeMoment({ name, args }: TraceEvent, at: number): void {
    const data = args?.data;
    const isOurs = (args?.frame ?? data?.frame) === this.#frame;
    if (name === 'navigationStart' && isOurs) {
      this.#navigated = at;
      this.#lcp = this.#fcp = undefined;
    } else if (name === 'firstContentfulPaint' && isOurs) this.#fcp = at;
    else if (name === 'largestContentfulPaint::Candidate' && isOurs) this.#lcp = at;
    else if (name === 'LayoutShift' && data?.is_main_frame === true && data.had_recent_input !== true)
      this.#shifts.push({ at, score: Number(data.weighted_score_delta ?? data.score ?? 0) });
  }
}

const round = (ms: number): number => Math.round(ms);

function worstWindow(shifts: readonly { at: number; score: number }[]): number {
  let [worst, sum, first, last] = [0, 0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { at, score } of [...shifts].sort((a, b) => a.at - b.at)) {
    if (at - last > PAUSE_MS || at - first > WINDOW_MS) [sum, first] = [0, at];
    sum += score;
    last = at;
    worst = Math.max(worst, sum);
  }
  return Math.round(worst * 10_000) / 10_000;
}

/** Tasks do not overlap, but Chrome may report one inside another. */
function longTasks(spans: readonly Span[]): TraceFacts['longTasks'] {
  let until = Number.NEGATIVE_INFINITY;
  const lengths: number[] = [];
  for (const { kind, start, end } of spans) {
    if (kind !== 'task' || end <= until) continue;
    until = end;
    if (end - start > LONG_MS) lengths.push(end - start);
  }
  return {
    count: lengths.length,
    longest: round(Math.max(0, ...lengths)),
    blocking: round(lengths.reduce((sum, length) => sum + length - LONG_MS, 0)),
  };
}

/** The time of each kind without what it had done by others. Spans come sorted by their start, the outer first. */
function busy(spans: readonly Span[]): TraceFacts['busy'] {
  const total = { scripting: 0, layout: 0, painting: 0 };
  const open: Span[] = [];
  for (const span of spans) {
    if (span.kind === 'task') continue;
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= span.start) open.pop();
    const outer = open.at(-1);
    if (outer && outer.kind !== 'task') total[outer.kind] -= Math.min(span.end, outer.end) - span.start;
    total[span.kind] += span.end - span.start;
    open.push(span);
  }
  return { scripting: round(total.scripting), layout: round(total.layout), painting: round(total.painting) };
}
