// Reading: what a trace tells, as plain data that is small enough to be kept and sent between processes.

/** Times in ms. Moments count from the start of the page's load; without one, from the start of the trace. */
export interface TraceReport {
  /** The page that it is about: the last one that was loaded. */
  url: string;
  /** Its load is in the trace. */
  loaded: boolean;
  /** Other pages that were shown meanwhile. */
  others: string[];
  fcp?: number;
  lcp?: LargestPaint;
  cls: { score: number; clusters: ShiftCluster[] };
  inp?: Interaction;
  longTasks: { count: number; longest: number; blocking: number; worst: LongTask[] };
  /** What the main thread was busy with. */
  busy: { scripting: number; layout: number; painting: number };
  /** All that there are, those that apply first. */
  insights: Insight[];
}

export interface LargestPaint {
  ms: number;
  /** As a selector: `img#hero`. */
  element?: string;
  /** Of its picture. */
  resource?: string;
  /** In order. */
  parts: { name: string; ms: number }[];
}

/** Shifts that count together. */
export interface ShiftCluster {
  score: number;
  at: number;
  shifts: number;
  moved: string[];
  /** What is known of the cause. */
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
  /** What most of it was spent on. */
  where: string;
}

/** Not known: the trace lacks what it would need. */
export type InsightState = 'applies' | 'fine' | 'unknown';

export interface Insight {
  /** As DevTools names it: LCPBreakdown. */
  name: string;
  state: InsightState;
  /** In one line. */
  verdict: string;
  /** What could be won, by estimate. */
  savings: string[];
  details: string[];
  /** Where it is explained. */
  docs: string;
}

/** What came of reading a trace; `unread` says in a few words why nothing did. */
export type TraceReadResult = { events: number } & ({ reading: TraceReport } | { unread: string });
