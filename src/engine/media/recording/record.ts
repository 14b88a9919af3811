// Record: starts and stops the recording of a tab, and saves it.
import { extname, join } from 'node:path';
import { Failure } from '../../../errors.ts';
import { capital, phrase, tabName, toolName } from '../../../text.ts';
import { saveFile, writablePath } from '../../files.ts';
import { bounded, foldersIn, type Limits, remaining, savingFolders, under } from '../../limits.ts';
import type { SavedFile } from '../../picture.ts';
import type { Tab } from '../../tab/tab.ts';
import { Encoding } from './encode.ts';
import { type RecordingEnd, type RecordingPlan, TabRecording } from './tab-recording.ts';

export const ACTIONS = ['start', 'stop', 'capture_frame', 'status'] as const;

export interface RecordInput extends RecordingPlan {
  action: (typeof ACTIONS)[number];
  annotation?: string | undefined;
  save_path?: string | undefined;
}

export interface RecordingState {
  state: 'recording' | 'ended' | 'saved' | 'none';
  frames: number;
  /** Time since the start; when saved, how long it plays. */
  ms?: number;
  mode?: RecordingPlan['mode'];
  format?: RecordingPlan['format'];
  width?: number;
  height?: number;
  /** Why the recording ended. */
  ended?: RecordingEnd;
  /** Frames that show the screenshot before, because none could be taken. */
  missed?: number;
  file?: SavedFile;
}

interface Entry {
  recording: TabRecording;
  save_path?: string | undefined;
  encoding?: Encoding | undefined;
  forget(): void;
}

const entries = new WeakMap<Tab, Entry>();

/** Part of the call's time that is reserved for the answer that the encoding is not done. */
const RESERVE_MS = 500;

export async function record(tab: Tab, input: RecordInput, limits: Limits): Promise<RecordingState> {
  const entry = entries.get(tab);
  switch (input.action) {
    case 'start':
      return start(tab, input, limits);
    case 'status':
      return entry ? stateOf(entry) : { state: 'none', frames: 0 };
    case 'capture_frame':
      return captureFrame(tab, entry ?? notRecording(tab), input.annotation, limits);
    default:
      return stop(tab, entry ?? notRecording(tab), input.save_path, limits);
  }
}

async function start(tab: Tab, input: RecordInput, limits: Limits): Promise<RecordingState> {
  tab.checkDialog();
  const before = entries.get(tab);
  if (before)
    throw new Failure(
      'refused',
      phrase`${capital(tabName(tab.id))} ${before.recording.ended ? 'has a recording that is not saved yet' : 'is being recorded already'}.`,
      phrase`Call ${toolName('record')} with action stop first.`,
    );
  const entry = register(tab, input, limits);
  try {
    if (input.save_path !== undefined) await pathFor(input.save_path, input.format, limits);
    await entry.recording.begin(input.annotation, limits);
  } catch (error) {
    entry.forget();
    throw error;
  }
  return stateOf(entry);
}

/** Registers a recording for the tab; it ends when the tab is closed. */
function register(tab: Tab, input: RecordInput, { secrets }: Limits): Entry {
  const recording = new TabRecording(tab, input, secrets);
  const endWithTab = async () => recording.end('tab');
  const forget = () => {
    recording.end('tab');
    if (entries.get(tab) === entry) entries.delete(tab);
    const at = tab.cleanups.indexOf(endWithTab);
    if (at >= 0) tab.cleanups.splice(at, 1);
  };
  const entry: Entry = { recording, save_path: input.save_path, forget };
  entries.set(tab, entry);
  tab.cleanups.push(endWithTab);
  return entry;
}

async function captureFrame(
  tab: Tab,
  entry: Entry,
  annotation: string | undefined,
  limits: Limits,
): Promise<RecordingState> {
  tab.checkDialog();
  const { ended } = entry.recording;
  if (ended)
    throw new Failure('refused', `The recording has ended (${ended}).`, 'Save it with action stop, then start again.');
  await entry.recording.capture(annotation, limits);
  return stateOf(entry);
}

async function stop(tab: Tab, entry: Entry, given: string | undefined, limits: Limits): Promise<RecordingState> {
  const { recording } = entry;
  limits.judge?.check([...recording.pages]);
  const { format } = recording.plan;
  const path = await pathFor(
    given ?? entry.save_path ?? join(foldersIn(limits).output, defaultPath(tab, format)),
    format,
    limits,
  );
  await under(limits.signal, recording.settle());
  recording.finish('stop');
  const bytes = await encoded(tab, entry, limits);
  await saveFile(path, bytes);
  entry.forget();
  return {
    ...stateOf(entry),
    state: 'saved',
    ms: recording.frames.length * recording.frameMs,
    file: { path, bytes: bytes.length },
  };
}

/** Encoding goes on when the call's time is over: the next stop continues to wait for it. */
async function encoded(tab: Tab, entry: Entry, limits: Limits): Promise<Uint8Array> {
  const encoding = encodingOf(tab, entry);
  const { frames } = entry.recording;
  const late = () =>
    new Failure(
      'timeout',
      `The recording is still being encoded: ${encoding.done} of ${frames.length} frames are done.`,
      phrase`Call ${toolName('record')} with action stop again: it goes on.`,
    );
  limits.waiting();
  return bounded(limits, remaining(limits) - RESERVE_MS, late, ({ signal }) => under(signal, encoding.bytes));
}

function encodingOf(tab: Tab, entry: Entry): Encoding {
  if (entry.encoding) return entry.encoding;
  const browser = tab.page.context().browser();
  const encoding = new Encoding(entry.recording, browser);
  encoding.bytes.catch(() => {
    entry.encoding = undefined; // the frames are still there: the next stop encodes them again
  });
  entry.encoding = encoding;
  return encoding;
}

const defaultPath = (tab: Tab, format: string): string =>
  join('recordings', `${new Date().toISOString().replace(/[:.]/g, '-')}-tab${tab.id}.${format}`);

async function pathFor(given: string, format: RecordingPlan['format'], limits: Limits): Promise<string> {
  const ending = extname(given).slice(1).toLowerCase();
  if (['gif', 'webm'].includes(ending) && ending !== format)
    throw new Failure(
      'bad_input',
      `save_path ends in .${ending}, but the recording is a ${format}.`,
      'The format is chosen at the start; name the file accordingly.',
    );
  return writablePath(given, savingFolders(limits));
}

function stateOf({ recording }: Entry): RecordingState {
  const { plan, frames, ended, elapsed, missed } = recording;
  const { mode, format, width, height } = plan;
  return {
    state: ended ? 'ended' : 'recording',
    frames: frames.length,
    ms: Math.round(elapsed),
    mode,
    format,
    width,
    height,
    ...(ended && { ended }),
    ...(missed > 0 && { missed }),
  };
}

function notRecording(tab: Tab): never {
  const others = [...tab.context.tabs.values()].filter(other => entries.has(other)).map(({ id }) => id);
  throw new Failure(
    'not_found',
    phrase`${capital(tabName(tab.id))} is not being recorded${others.length > 0 ? `; tab ${others.join(', ')} is` : ''}.`,
    others.length > 0 ? `Give tabId: ${others[0]}.` : phrase`Call ${toolName('record')} with action start first.`,
  );
}
