// The recording of one tab: frames at a fixed rate or after each action, with marks for what was done. Bounded in time, count and bytes.
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { redact } from '../../../policy/mask.ts';
import type { Phrase, Wording } from '../../../text.ts';
import { type Limits, unlimited } from '../../limits.ts';
import type { CallSecrets } from '../../secrets.ts';
import type { TabEvents } from '../../tab/page-events.ts';
import type { Tab } from '../../tab/tab.ts';
import type { FrameMark } from './frame-renderer.ts';
import { Screencast, type Shot, takeShot } from './screencast.ts';

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

export interface RecordedFrame {
  shot: Shot;
  marks: FrameMark[];
}

export type RecordingEnd = 'stop' | 'max_duration' | 'max_frames' | 'memory' | 'tab';

/** How long a frame is shown in auto_capture: long enough to be read. */
const AUTO_MS = 800;
/** How long marks are shown in fixed_fps. */
const MARKS_MS = 1_000;
const MOST_BYTES = 150_000_000;

export class TabRecording {
  readonly frames: RecordedFrame[] = [];
  /** The urls of the pages that it may show. */
  readonly pages = new Set<string>();
  /** Why the recording ended. */
  ended: RecordingEnd | undefined;
  /** How many frames show the screenshot before, because none could be taken. */
  missed = 0;
  bytes = 0;
  #began = performance.now();
  #endedAt = 0;
  readonly #stop = new AbortController();
  readonly #screencast: Screencast | undefined;
  readonly #cleanups: (() => void)[] = [];
  /** The marks of actions since the last frame; in fixed_fps, of the last second. */
  #marks: { mark: FrameMark; at: number }[] = [];
  /** The marks of each frame that is to be taken. */
  #due: FrameMark[][] = [];
  #taking: Promise<void> | undefined;
  /** Frames added at the fixed rate. */
  #fixed = 0;

  constructor(
    readonly tab: Tab,
    readonly plan: RecordingPlan,
    /** Those of the caller who records. */
    readonly secrets: CallSecrets | undefined,
  ) {
    if (plan.mode === 'fixed_fps') this.#screencast = new Screencast(tab, plan, secrets);
  }

  /** How long a frame is shown, in ms. */
  get frameMs(): number {
    return this.plan.mode === 'fixed_fps' ? 1_000 / this.plan.fps : AUTO_MS;
  }

  /** Ms since the start, or from the start to the end. */
  get elapsed(): number {
    return (this.ended ? this.#endedAt : performance.now()) - this.#began;
  }

  /** Takes the first frame; the others follow by themselves. */
  async begin(annotation: string | undefined, limits: Limits): Promise<void> {
    const { max_duration, overlays } = this.plan;
    const [shot] = await Promise.all([takeShot(this.tab, limits), this.#screencast?.follow()]);
    this.#began = performance.now();
    if (overlays.click_indicators) this.#on('pressed', at => this.#mark({ kind: 'click', at }));
    if (overlays.drag_paths) this.#on('dragged', (from, to) => this.#mark({ kind: 'drag', from, to }));
    this.pages.add(this.tab.url);
    this.#on('committed', url => void this.pages.add(url));
    this.#on('acted', answer => {
      const caption = captionOf(answer);
      this.#acted(this.secrets?.mask?.text(caption) ?? caption);
    });
    const timers = [setTimeout(() => this.finish('max_duration'), max_duration)];
    if (this.#screencast) {
      this.#screencast.latest ??= shot;
      timers.push(setInterval(() => this.#tick(), this.frameMs));
      this.#fixed++;
    }
    for (const timer of timers) {
      timer.unref();
      this.#cleanups.push(() => clearTimeout(timer));
    }
    this.#annotate(annotation);
    this.#add(shot, this.#takeMarks());
  }

  #on<E extends 'pressed' | 'dragged' | 'acted' | 'committed'>(
    event: E,
    listener: (...args: TabEvents[E]) => void,
  ): void {
    this.tab.events.on(event, listener as never);
    this.#cleanups.push(() => this.tab.events.off(event, listener as never));
  }

  #mark(mark: FrameMark): void {
    const at = performance.now();
    // One mark of each kind: the presses of a double click are one click.
    this.#marks = this.#marks.filter(other => other.mark.kind !== mark.kind);
    this.#marks.push({ mark, at });
  }

  #acted(caption: string): void {
    if (this.plan.overlays.action_labels) this.#mark({ kind: 'label', text: caption });
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

  /** One screenshot at a time. Actions that ended while one was taken share the next. */
  async #takeDue(): Promise<void> {
    while (this.#due.length > 0 && !this.ended) {
      const due = this.#due.splice(0);
      const shot = await this.#takeShotOrRepeat();
      for (const marks of due) this.#add(shot, marks);
    }
  }

  async #takeShotOrRepeat(): Promise<Shot> {
    const before = this.frames.at(-1)?.shot;
    const { secrets } = this;
    const { dialog, gone } = this.tab;
    try {
      if (!before || (!dialog && !gone))
        return await takeShot(this.tab, { ...unlimited(this.#stop.signal), ...defined({ secrets }) });
    } catch (error) {
      if (!before) throw error;
    }
    // A page behind a dialog, or one that has gone, is shown as before.
    if (!this.ended) this.missed++;
    return before;
  }

  /** Adds the frames that are due; several when the timer was late. */
  #tick(): void {
    const { fps, max_duration } = this.plan;
    const now = performance.now();
    this.#marks = this.#marks.filter(({ at }) => now - at < MARKS_MS);
    this.#screencast?.follow().catch(() => undefined); // the page has just gone: the next tick tries the one that replaced it
    const shot = this.#screencast?.latest;
    const due = Math.min(Math.floor(((now - this.#began) * fps) / 1_000) + 1, Math.ceil((max_duration * fps) / 1_000));
    for (; shot && this.#fixed < due && !this.ended; this.#fixed++) this.#add(shot, this.#takeMarks());
  }

  /** Adds a frame that the caller asked for. */
  async capture(annotation: string | undefined, limits: Limits): Promise<void> {
    await this.settle();
    const shot = await takeShot(this.tab, limits);
    this.#annotate(annotation);
    this.#add(shot, this.#takeMarks());
  }

  #annotate(text: string | undefined): void {
    if (text !== undefined) this.#mark({ kind: 'note', text });
  }

  #add(shot: Shot, marks: FrameMark[]): void {
    if (this.ended) return;
    if (shot !== this.frames.at(-1)?.shot) this.bytes += shot.jpeg.length;
    this.frames.push({ shot, marks });
    if (this.frames.length >= this.plan.max_frames) this.end('max_frames');
    else if (this.bytes > MOST_BYTES) this.end('memory');
  }

  /** Ends the recording after the frames that are due. */
  finish(reason: RecordingEnd): void {
    if (this.#screencast && !this.ended) this.#tick();
    this.end(reason);
  }

  /** Ends the recording; its frames stay. */
  end(reason: RecordingEnd): void {
    if (this.ended) return;
    this.ended = reason;
    this.#endedAt = performance.now();
    for (const cleanup of this.#cleanups) cleanup();
    void this.#screencast?.close();
    this.#stop.abort(new Failure('cancelled', 'The recording has ended.'));
    if (reason !== 'stop' && reason !== 'tab')
      this.tab.notes.push(`The recording has ended by itself (${reason}); record stop saves it.`);
  }

  /** Waits for the frames of actions that are over. */
  async settle(): Promise<void> {
    await this.#taking;
  }
}

const MAX_CAPTION = 100;

/** `Clicked button "Save"`: without the ref, and without the effects. */
export function captionOf(answer: string | Phrase): string {
  const caption = redact(typeof answer === 'string' ? answer : answer.in(CAPTION));
  return caption.replace(/\.$/, '').slice(0, MAX_CAPTION);
}

const CAPTION: Wording = {
  strict: false,
  brief: true,
  tool: () => undefined,
  called: name => name,
  argument: name => name,
  ref: () => '',
  tab: id => `tab ${id}`,
  noun: word => word,
};
