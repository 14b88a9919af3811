// The report of a trace, as plain data that is small enough to be kept and sent between processes.

/** Durations in ms; points in time (`at`) count from the start of the page's load, or from the start of the trace without one. */
export interface TraceReport {
  /** The page that the report is about: the last one that was loaded. */
  url: string;
  /** The load of the page is in the trace. */
  loaded: boolean;
  /** Other pages that were shown meanwhile. */
  others: string[];
  fcp?: number;
  lcp?: LargestPaint;
  cls: { score: number; clusters: ShiftCluster[] };
  inp?: Interaction;
  longTasks: { count: number; longest: number; blocking: number; worst: LongTask[] };
  /** Time of the main thread by kind of work, in ms. */
  busy: { scripting: number; layout: number; painting: number };
  /** All insights, those that apply first. */
  insights: Insight[];
}

export interface LargestPaint {
  ms: number;
  /** As a selector: `img#hero`. */
  element?: string;
  /** The URL of its picture. */
  resource?: string;
  /** In the order of time. */
  parts: { name: string; ms: number }[];
}

/** Layout shifts that count together. */
export interface ShiftCluster {
  score: number;
  at: number;
  shifts: number;
  moved: string[];
  /** The known causes. */
  causes: string[];
}

export interface Interaction {
  ms: number;
  type: string;
  element?: string;
  parts: { name: string; ms: number }[];
}

export interface LongTask {
  ms: number;
  at: number;
  /** The function or work that took most of the task. */
  where: string;
}

/** `unknown`: the trace lacks the data for it. */
export type InsightState = 'applies' | 'fine' | 'unknown';

export interface Insight {
  /** The name in DevTools: LCPBreakdown. */
  name: string;
  state: InsightState;
  /** One line. */
  verdict: string;
  /** Estimated savings. */
  savings: string[];
  details: string[];
  /** URL of its documentation. */
  docs: string;
}

/** `unread` says in a few words why there is no report. */
export type TraceReadResult = { events: number } & ({ reading: TraceReport } | { unread: string });
