// The type of one insight's words: from the engine's model to a verdict and details.
import type { Insights } from '@paulirish/trace_engine';
import type { TracedPage } from '../traced-page.ts';

type Models = Insights.Types.InsightModels;
export type InsightName = keyof Models;
export type Model<N extends InsightName> = NonNullable<Models[N]>;

export interface InsightFinding {
  /** One line, without a full stop. */
  verdict: string;
  details?: string[];
  /** The trace does not hold what is needed; the verdict says what. */
  unknown?: true;
}

export interface InsightRow<N extends InsightName> {
  /** Says nothing without the load of a page. */
  ofLoad?: true;
  describe(model: Model<N>, page: TracedPage): InsightFinding;
}

export const unknown = (verdict: string): InsightFinding => ({ verdict, unknown: true });

export const yes = (is: boolean): string => (is ? 'yes' : 'no');
