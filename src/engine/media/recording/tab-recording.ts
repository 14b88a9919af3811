// Recording: takes pictures of one tab, at a steady pace or after each action, with what was done on each. Bounded in time, count and bytes.
import { Failure } from '../../../errors.ts';
import { capital, phrase, tabName } from '../../../text.ts';
import { type Limits, within } from '../../limits.ts';
import type { TabEvents } from '../../tab/page-events.ts';
import type { Tab } from '../../tab/tab.ts';
import { captionOf } from './captions.ts';
import type { FrameMark } from './frame-renderer.ts';
import { QUALITY, Screencast, type Shot } from './screencast.ts';

export const MODES = ['auto_capture', 'fixed_fps'] as const;
export const VIDEO_FORMATS = ['gif', 'webm'] as const;

export interface RecordingPlan {
  mode: (typeof MODES)[number];
  format: (typeof VIDEO_FORMATS)[number];
  fps: number;
  max_duration: number;
  max_frames: number;
  width: number;
  height: number;
  overlays: { click_indicators: boolean; drag_paths: boolean; action_labels: boolean };
}

/** One frame. */
export interface RecordedFrame {
  shot: Shot;
  marks: FrameMark[];
}

export type RecordingEnd = 'stop' | 'max_duration' | 'max_frames' | 'memory' | 'tab';

/** How long a frame stands in auto_capture: long enough to be read. */
const AUTO_MS = 800;
/** How long marks stay, in fixed_fps. */
const MARKS_MS = 1_000;
const MOST_BYTES = 150_000_000;
/** A page that cannot be pictured in this time is shown as it was. */
const SHOT_MS = 5_000;

/** Pictures are taken beside the calls, by nobody's leave: only the end of the recording stops them. */
const unbounded = (signal: AbortSignal): Limits => ({
  signal,
  deadline: Number.POSITIVE_INFINITY,
  progress() {},
  waiting() {},
});

export class TabRecording {
  readonly frames: RecordedFrame[] = [];
  /** Why it takes no more frames. */
  ended: RecordingEnd | undefined;
  /** How many times the page could not be pictured, so that the picture before stands in. */
  missed = 0;
  bytes = 0;
  #began = performance.now();
  #endedAt = 0;
  readonly #stop = new AbortController();
  readonly #screencast: Screencast | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #offs: (() => void)[] = [];
  /** What was done since the last frame; in fixed_fps, of late. */
  #marks: { mark: FrameMark; at: number }[] = [];
  /** Frames to be taken, each with its marks. */
  #due: FrameMark[][] = [];
  #taking: Promise<void> | undefined;
  #steady = 0;

  constructor(
    readonly tab: Tab,
    readonly plan: RecordingPlan,
  ) {
    if (plan.mode === 'fixed_fps') this.#screencast = new Screencast(tab, plan);
  }

  /** Milliseconds that a frame stands. */
  get frameMs(): number {
    return this.plan.mode === 'fixed_fps' ? 1_000 / this.plan.fps : AUTO_MS;
  }

  /** How long it has taken, or took. */
  get elapsed(): number {
    return (this.ended ? this.#endedAt : performance.now()) - this.#began;
  }

  /** The first frame; from then on it goes by itself. */
  async begin(annotation: string | undefined, limits: Limits): Promise<void> {
    const { max_duration, overlays } = this.plan;
    const [shot] = await Promise.all([shoot(this.tab, limits), this.#screencast?.follow()]);
    this.#began = performance.now();
    if (overlays.click_indicators) this.#on('pressed', at => this.#note({ kind: 'click', at }));
    if (overlays.drag_paths) this.#on('dragged', (from, to) => this.#note({ kind: 'drag', from, to }));
    this.#on('acted', (tool, words) => this.#acted(captionOf(tool, words)));
    this.#timers.push(setTimeout(() => this.finish('max_duration'), max_duration).unref());
    if (this.#screencast) {
      this.#screencast.latest ??= shot;
      this.#timers.push(setInterval(() => this.#tick(), this.frameMs).unref());
      this.#steady++;
    }
    this.#say(annotation);
    this.#add(shot, this.#takeMarks());
  }

  #on<E extends 'pressed' | 'dragged' | 'acted'>(event: E, listener: (...args: TabEvents[E]) => void): void {
    this.tab.events.on(event, listener as never);
    this.#offs.push(() => this.tab.events.off(event, listener as never));
  }

  #note(mark: FrameMark): void {
    const at = performance.now();
    // A new action of the same kind takes the place of the one before: a press that was repeated is one click.
    this.#marks = this.#marks.filter(other => other.mark.kind !== mark.kind);
    this.#marks.push({ mark, at });
  }

  #acted(words: string): void {
    if (this.plan.overlays.action_labels) this.#note({ kind: 'label', text: words });
    if (this.#screencast) return;
    this.#due.push(this.#takeMarks());
    this.#taking ??= this.#takeDue().finally(() => {
      this.#taking = undefined;
    });
  }

  #takeMarks(): FrameMark[] {
    const marks = this.#marks.map(({ mark }) => mark);
    if (!this.#screencast) this.#marks = [];
    return marks;
  }

  /** One picture at a time. Actions that ended while one was taken share the next. */
  async #takeDue(): Promise<void> {
    while (this.#due.length > 0 && !this.ended) {
      const due = this.#due.splice(0);
      const shot = await this.#shootOrKeep();
      for (const marks of due) this.#add(shot, marks);
    }
  }

  async #shootOrKeep(): Promise<Shot> {
    const before = this.frames.at(-1)?.shot;
    const { dialog, gone } = this.tab;
    try {
      if (!before || (!dialog && !gone)) return await shoot(this.tab, unbounded(this.#stop.signal));
    } catch (error) {
      if (!before) throw error;
    }
    // Behind a dialog, or gone: it is shown as it was.
    if (!this.ended) this.missed++;
    return before;
  }

  /** Adds the frames whose time has come; a timer that was late adds several. */
  #tick(): void {
    const { fps, max_duration } = this.plan;
    const now = performance.now();
    this.#marks = this.#marks.filter(({ at }) => now - at < MARKS_MS);
    this.#screencast?.follow().catch(() => undefined); // a page that has just gone: the next tick tries its heir
    const shot = this.#screencast?.latest;
    const due = Math.min(Math.floor(((now - this.#began) * fps) / 1_000) + 1, Math.ceil((max_duration * fps) / 1_000));
    for (; shot && this.#steady < due && !this.ended; this.#steady++) this.#add(shot, this.#takeMarks());
  }

  /** A frame because the caller wants one. */
  async capture(annotation: string | undefined, limits: Limits): Promise<void> {
    await this.settle();
    const shot = await shoot(this.tab, limits);
    this.#say(annotation);
    this.#add(shot, this.#takeMarks());
  }

  #say(text: string | undefined): void {
    if (text !== undefined) this.#note({ kind: 'note', text });
  }

  #add(shot: Shot, marks: FrameMark[]): void {
    if (this.ended) return;
    if (shot !== this.frames.at(-1)?.shot) this.bytes += shot.jpeg.length;
    this.frames.push({ shot, marks });
    if (this.frames.length >= this.plan.max_frames) this.end('max_frames');
    else if (this.bytes > MOST_BYTES) this.end('memory');
  }

  /** Ends when its time is over, with all frames of that time. */
  finish(why: RecordingEnd): void {
    if (this.#screencast && !this.ended) this.#tick();
    this.end(why);
  }

  /** Takes no more frames; those it has stay. */
  end(why: RecordingEnd): void {
    if (this.ended) return;
    this.ended = why;
    this.#endedAt = performance.now();
    for (const timer of this.#timers) clearTimeout(timer);
    for (const off of this.#offs) off();
    void this.#screencast?.close();
    this.#stop.abort(new Failure('cancelled', 'The recording has ended.'));
    if (why !== 'stop' && why !== 'tab')
      this.tab.notes.push(`The recording has ended by itself (${why}); record stop saves it.`);
  }

  /** Waits for the frames of actions that are over. */
  async settle(): Promise<void> {
    await this.#taking;
  }
}

/** A picture of what the viewport shows. */
async function shoot(tab: Tab, limits: Limits): Promise<Shot> {
  const late = () =>
    new Failure('page_unresponsive', phrase`${capital(tabName(tab.id))} could not be pictured in time.`, 'Try again.');
  const bound = within(limits, SHOT_MS, late);
  try {
    const [{ cssVisualViewport: view }, { data }] = await Promise.all([
      tab.send(bound, tab.main, 'Page.getLayoutMetrics'),
      tab.send(bound, tab.main, 'Page.captureScreenshot', { format: 'jpeg', quality: QUALITY, optimizeForSpeed: true }),
    ]);
    return { jpeg: Buffer.from(data, 'base64'), view: { width: view.clientWidth, height: view.clientHeight } };
  } finally {
    bound.done();
  }
}
