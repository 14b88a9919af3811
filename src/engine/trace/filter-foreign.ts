// A trace is of the whole browser: what is not of the traced page, other sessions' pages among it, is left out before anybody sees it.
import type { Types } from '@paulirish/trace_engine';

type Event = Types.Events.Event;

/** What Chrome tells about the frames of the traced page, and only of that. */
const FRAMES = new Set(['TracingStartedInBrowser', 'FrameCommittedInBrowser', 'ProcessReadyInBrowser']);
/** Names, without the titles of pages that labels have. */
const NAMES = new Set(['process_name', 'thread_name']);

interface FrameData {
  processId?: number;
  processPseudoId?: string;
  frames?: FrameData[];
}

const framesIn = ({ name, args }: Event): FrameData[] => {
  if (!FRAMES.has(name)) return [];
  const data = (args?.data ?? {}) as FrameData;
  return [data, ...(data.frames ?? [])];
};

/** Frames of other sites have processes of their own; those of other sessions never share one with this page. */
export function ownEvents(events: readonly Event[]): Event[] {
  const processes = new Set(events.flatMap(framesIn).flatMap(({ processId }) => processId ?? []));
  return events.filter(
    ({ pid, name }) => processes.has(pid) || NAMES.has(name) || FRAMES.has(name) || name === 'FrameDeletedInBrowser',
  );
}
