// The type of one insight: how a verdict and details are made of the model of the trace engine.
import type { Insights } from '@paulirish/trace_engine';
import type { TracedPage } from '../traced-page.ts';

type Models = Insights.Types.InsightModels;
export type InsightName = keyof Models;
export type Model<N extends InsightName> = NonNullable<Models[N]>;

export interface InsightFinding {
  /** One line, without a full stop. */
  verdict: string;
  /** A line each; undefined for a line that does not apply. */
  details?: (string | undefined)[];
  /** The trace lacks the data for this insight; the verdict says which. */
  unknown?: true;
}

export interface InsightRow<N extends InsightName> {
  /** Needs the load of a page in the trace. */
  ofLoad?: true;
  describe(model: Model<N>, page: TracedPage): InsightFinding;
}

export const unknown = (verdict: string): InsightFinding => ({ verdict, unknown: true });

/** The complaints about the checks that failed. */
export const complaints = (checks: readonly (readonly [passed: boolean, complaint: string])[]): string =>
  checks
    .filter(([passed]) => !passed)
    .map(([, complaint]) => complaint)
    .join(', ');

export const yes = (is: boolean): string => (is ? 'yes' : 'no');
