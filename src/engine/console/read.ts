// The console tool: reads or empties the ring of a tab or of all, or starts a buffer without the messages before it.

import { CdpError } from '../../cdp/errors.ts';
import { Failure } from '../../errors.ts';
import { phrase, tabName } from '../../text.ts';
import { flush } from '../actions/effects.ts';
import { inTime, type Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { ConsoleFilter, ConsoleRead, ConsoleRing } from './ring.ts';

export const ACTIONS = ['get', 'clear', 'start_buffer', 'stop_buffer'] as const;

export interface ConsoleInput extends ConsoleFilter {
  /** Longest answer; that of the options when left out. */
  max_chars?: number | undefined;
  action: (typeof ACTIONS)[number];
  clear_after_read: boolean;
  /** Of all tabs of the session together. */
  all_tabs: boolean;
}

export interface ConsoleData extends ConsoleRead {
  /** Only what came since start_buffer is read. */
  buffering: boolean;
  /** So many were thrown away by clear. */
  cleared?: number;
}

/** Room for the text around the messages. */
const TEXT_AROUND = 300;
/** A frame that does not answer in time is asked again with the next call. */
const FRAMES_MS = 1_000;

const NOTHING: ConsoleRead = { messages: [], total: 0, dropped: 0 };

export async function readConsole(tab: Tab, input: ConsoleInput, limits: Limits): Promise<ConsoleData> {
  const { console: ring } = input.all_tabs ? tab.context : tab;
  const tabs = input.all_tabs ? [...tab.context.tabs.values()] : [tab];
  limits.judge?.check(tabs.map(({ url }) => url));
  await Promise.all(tabs.map(each => listenEverywhere(each, limits)));
  switch (input.action) {
    case 'clear':
      return { ...NOTHING, cleared: ring.clear(), buffering: ring.isBuffering };
    case 'start_buffer':
      ring.startBuffer();
      return { ...NOTHING, buffering: true };
    default:
      return read(tab, ring, input, limits);
  }
}

function read(tab: Tab, ring: ConsoleRing, input: ConsoleInput, { judge }: Limits): ConsoleData {
  const stops = input.action === 'stop_buffer';
  if (stops && !ring.isBuffering)
    throw new Failure(
      'bad_input',
      input.all_tabs ? 'No buffer of all tabs was started.' : phrase`No buffer was started in ${tabName(tab.id)}.`,
      'Use get: messages are always recorded.',
    );
  const found = ring.read(input, (input.max_chars ?? tab.options.maxChars) - TEXT_AROUND, judge);
  if (stops) ring.stopBuffer();
  if (input.clear_after_read) ring.clear();
  return { ...found, buffering: ring.isBuffering };
}

/** Opens the sessions of frames in other processes, whose earlier messages arrive then as well. */
async function listenEverywhere(tab: Tab, limits: Limits): Promise<void> {
  if (tab.isUnattached || tab.gone || tab.dialog || tab.pending) return;
  await inTime(limits, FRAMES_MS, async bound => {
    tab.frames.sessions();
    await flush(tab, bound);
  }).catch(error => {
    limits.signal.throwIfAborted();
    const isBlocked = error instanceof Failure && error.code === 'dialog_open';
    if (!isBlocked && !(error instanceof CdpError)) throw error; // a frame may have just gone
  });
}
