// What the console tool does: reads or empties the ring of a tab, and keeps a buffer apart from what came before.
import { Failure } from '../../errors.ts';
import { phrase, tabName } from '../../text.ts';
import { flush } from '../actions/effects.ts';
import { type Limits, within } from '../limits.ts';
import { CdpError } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import type { ConsoleFilter, ConsoleRead } from './ring.ts';

export const ACTIONS = ['get', 'clear', 'start_buffer', 'stop_buffer'] as const;

export interface ConsoleInput extends ConsoleFilter {
  action: (typeof ACTIONS)[number];
  clear_after_read: boolean;
}

export interface ConsoleData extends ConsoleRead {
  /** Only what came since start_buffer is read. */
  buffering: boolean;
  /** So many were thrown away by clear. */
  cleared?: number;
}

/** Room for the words around the messages. */
const WORDS = 300;
/** A frame that does not answer is heard another time. */
const FRAMES_MS = 1_000;

const NOTHING: ConsoleRead = { messages: [], total: 0, dropped: 0 };

export async function readConsole(tab: Tab, input: ConsoleInput, limits: Limits): Promise<ConsoleData> {
  const { console: ring } = tab;
  await hearAll(tab, limits);
  switch (input.action) {
    case 'clear':
      return { ...NOTHING, cleared: ring.clear(), buffering: ring.isBuffering };
    case 'start_buffer':
      ring.startBuffer();
      return { ...NOTHING, buffering: true };
    default:
      return read(tab, input);
  }
}

function read(tab: Tab, input: ConsoleInput): ConsoleData {
  const { console: ring } = tab;
  const stops = input.action === 'stop_buffer';
  if (stops && !ring.isBuffering)
    throw new Failure(
      'bad_input',
      phrase`No buffer was started in ${tabName(tab.id)}.`,
      'Use get: messages are always recorded.',
    );
  const found = ring.read(input, tab.options.maxChars - WORDS);
  if (stops) ring.stopBuffer();
  if (input.clear_after_read) ring.clear();
  return { ...found, buffering: ring.isBuffering };
}

/** Frames of other processes are heard from when somebody asks; then they also tell what they said before. */
async function hearAll(tab: Tab, limits: Limits): Promise<void> {
  if (tab.dialog || tab.pending) return;
  const late = new Failure('timeout', 'late');
  const bound = within(limits, FRAMES_MS, () => late);
  try {
    await tab.frames.wires(bound);
    await flush(tab, bound);
  } catch (error) {
    limits.signal.throwIfAborted();
    const isBlocked = error === late || (error instanceof Failure && error.code === 'dialog_open');
    if (!isBlocked && !(error instanceof CdpError)) throw error; // a frame may have just gone
  } finally {
    bound.done();
  }
}
