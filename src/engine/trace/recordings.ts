// The recordings of a session: a trace that runs or waits to be fetched, and what the last one told.
import { Failure } from '../../errors.ts';
import type { SavedFile } from '../picture.ts';
import type { Tab, TabContext } from '../tab/tab.ts';
import type { Insight, Reading } from './reading.ts';
import type { Trace } from './trace.ts';

export interface Traced {
  ms: number;
  events: number;
  /** Not everything fitted. */
  cut?: true;
  /** Why it ended by itself. */
  ended?: string;
  reading?: Reading;
  /** Why there is no reading. */
  unread?: string;
  file?: SavedFile;
  /** Why the page that it was for did not open. */
  notOpened?: string;
}

export interface Recordings {
  trace?: Trace | undefined;
  /** Where its file goes, when it was said at the start. */
  path?: string | undefined;
  last?: Traced;
}

const sessions = new WeakMap<TabContext, Recordings>();

export function recordingsOf({ context }: Tab): Recordings {
  const known = sessions.get(context) ?? {};
  sessions.set(context, known);
  return known;
}

/** An insight of the last recording. */
export function insightOf(tab: Tab, name: string | undefined): Insight {
  const { last, trace } = recordingsOf(tab);
  if (!last && trace)
    throw new Failure('refused', 'The trace still runs: there are no insights yet.', 'Stop it first: action stop.');
  if (!last)
    throw new Failure(
      'refused',
      'No trace was recorded in this session.',
      'Record one first: action start, mode trace.',
    );
  if (!last.reading)
    throw new Failure('refused', `The last trace could not be read: ${last.unread}.`, 'Record a shorter one.');
  const { insights } = last.reading;
  const found = insights.find(insight => insight.name.toLowerCase() === name?.trim().toLowerCase());
  if (found) return found;
  const names = insights.map(insight => insight.name).join(', ');
  throw new Failure(
    'bad_input',
    name === undefined
      ? `Say which insight: ${names}.`
      : `There is no insight ${JSON.stringify(name.slice(0, 100))}. There are: ${names}.`,
  );
}
