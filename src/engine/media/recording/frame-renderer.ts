// Runs inside the encoder page: draws the frames of a recording with their marks, and encodes them as video.
// Self-contained: the class is sent as text, so it uses nothing but itself and the browser.

import type { Point, Rect, Size } from '../../geometry.ts';

/** Something to draw onto a frame; points are in pixels of the page's viewport. */
export type FrameMark =
  | { kind: 'click'; at: Point }
  | { kind: 'drag'; from: Point; to: Point }
  /** The action, in words. */
  | { kind: 'label'; text: string }
  /** The annotation of the caller. */
  | { kind: 'note'; text: string };

export interface FrameContent {
  /** A JPEG in base64; the picture of the frame before when left out. */
  picture?: string;
  view: Size;
  marks: FrameMark[];
}

/** A part of the frame that differs from the frame before; its pixels as RGBA in base64. */
export interface ChangedRegion extends Rect {
  rgba: string;
}

/** One encoded video frame. */
export interface EncodedChunk {
  key: boolean;
  ms: number;
  /** Base64. */
  bytes: string;
}

export class FrameRenderer {
  readonly canvas = new OffscreenCanvas(1, 1);
  readonly ctx = this.canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  image: ImageBitmap | undefined;
  /** The pixels of the frame before. */
  before: Uint32Array | undefined;
  encoder: VideoEncoder | undefined;
  chunks: EncodedVideoChunk[] = [];
  error: Error | undefined;

  open({ width, height }: Size): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.ctx.imageSmoothingQuality = 'high';
  }

  /** Configures the video encoder; gives the codec that this browser has, or undefined. */
  async openVideo({ frameMs }: { frameMs: number }): Promise<'V_VP8' | 'V_VP9' | undefined> {
    const { width, height } = this.canvas;
    this.encoder = new VideoEncoder({
      output: chunk => void this.chunks.push(chunk),
      error: error => {
        this.error = error;
      },
    });
    for (const [codec, name] of [
      ['vp09.00.50.08', 'V_VP9'],
      ['vp8', 'V_VP8'],
    ] as const) {
      const bitrate = Math.max(500_000, width * height * 4);
      const config = { codec, width, height, bitrate, framerate: 1_000 / frameMs, latencyMode: 'quality' as const };
      if (!(await VideoEncoder.isConfigSupported(config)).supported) continue;
      this.encoder.configure(config);
      return name;
    }
    return undefined;
  }

  /** Draws the content; gives the region that differs from the frame before, or undefined. */
  async patch(content: FrameContent): Promise<ChangedRegion | undefined> {
    await this.draw(content);
    const { width, height } = this.canvas;
    const now = new Uint32Array(this.ctx.getImageData(0, 0, width, height).data.buffer);
    const box = this.difference(now);
    this.before = now;
    if (!box) return undefined;
    return { ...box, rgba: await this.base64(this.ctx.getImageData(box.x, box.y, box.width, box.height).data) };
  }

  difference(now: Uint32Array): Rect | undefined {
    const { before } = this;
    const { width, height } = this.canvas;
    if (!before) return { x: 0, y: 0, width, height };
    let [left, right, top, bottom] = [width, -1, height, -1];
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at++)
        if (now[at] !== before[at]) {
          if (x < left) left = x;
          if (x > right) right = x;
          if (y < top) top = y;
          bottom = y;
        }
    return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }

  /** Draws the content and encodes it; gives the chunks that are ready. */
  async encode({ content, ms, key }: { content: FrameContent; ms: number; key: boolean }): Promise<EncodedChunk[]> {
    await this.draw(content);
    const { encoder } = this;
    if (!encoder || this.error) throw this.error ?? new Error('no encoder');
    const frame = new VideoFrame(this.canvas, { timestamp: Math.round(ms * 1_000) });
    encoder.encode(frame, { keyFrame: key });
    frame.close();
    if (encoder.encodeQueueSize > 3) await encoder.flush();
    return this.takeChunks();
  }

  async finish(): Promise<EncodedChunk[]> {
    await this.encoder?.flush();
    if (this.error) throw this.error;
    return this.takeChunks();
  }

  takeChunks(): Promise<EncodedChunk[]> {
    return Promise.all(
      this.chunks.splice(0).map(async chunk => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        return { key: chunk.type === 'key', ms: chunk.timestamp / 1_000, bytes: await this.base64(bytes) };
      }),
    );
  }

  base64(bytes: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>): Promise<string> {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(new Blob([bytes]));
    });
  }

  /** The picture in the middle, as large as fits, and the marks on it. */
  async draw({ picture, view, marks }: FrameContent): Promise<void> {
    const { canvas, ctx } = this;
    if (picture !== undefined) {
      const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
      this.image?.close();
      this.image = await createImageBitmap(new Blob([bytes]));
    }
    const { image } = this;
    if (!image) throw new Error('no picture');
    const scale = Math.min(canvas.width / image.width, canvas.height / image.height);
    const width = Math.round(image.width * scale);
    const height = Math.round(image.height * scale);
    const left = Math.floor((canvas.width - width) / 2);
    const top = Math.floor((canvas.height - height) / 2);
    ctx.fillStyle = '#000';
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(image, left, top, width, height);
    const onFrame = ({ x, y }: Point): Point => ({
      x: left + (x / view.width) * width,
      y: top + (y / view.height) * height,
    });
    for (const mark of marks) this.mark(mark, onFrame);
  }

  mark(mark: FrameMark, onFrame: (point: Point) => Point): void {
    if (mark.kind === 'click') this.ring(onFrame(mark.at));
    else if (mark.kind === 'drag') this.arrow(onFrame(mark.from), onFrame(mark.to));
    else this.caption(mark.text, mark.kind === 'note');
  }

  /** The unit of lengths: it grows with the frame. */
  get unit(): number {
    return Math.max(3, Math.min(this.canvas.width, this.canvas.height) / 120);
  }

  ring({ x, y }: Point): void {
    const { ctx, unit } = this;
    ctx.beginPath();
    ctx.arc(x, y, unit * 3, 0, Math.PI * 2);
    ctx.fillStyle = 'rgba(255, 40, 40, 0.35)';
    ctx.fill();
    ctx.lineWidth = unit * 0.6;
    ctx.strokeStyle = 'rgba(220, 0, 0, 0.95)';
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x, y, unit * 0.8, 0, Math.PI * 2);
    ctx.fillStyle = 'rgb(220, 0, 0)';
    ctx.fill();
  }

  arrow(from: Point, to: Point): void {
    const { ctx, unit } = this;
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const wing = (turn: number) =>
      ctx.lineTo(to.x - unit * 3 * Math.cos(angle + turn), to.y - unit * 3 * Math.sin(angle + turn));
    ctx.strokeStyle = ctx.fillStyle = 'rgb(255, 120, 0)';
    ctx.lineWidth = unit * 0.8;
    ctx.beginPath();
    ctx.arc(from.x, from.y, unit * 1.5, 0, Math.PI * 2);
    ctx.fill();
    ctx.beginPath();
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(to.x, to.y);
    wing(0.5);
    ctx.moveTo(to.x, to.y);
    wing(-0.5);
    ctx.stroke();
  }

  /** One line of text on a dark background: at the top, or at the bottom. */
  caption(text: string, atTop: boolean): void {
    const { canvas, ctx, unit } = this;
    const size = Math.max(9, unit * (atTop ? 3.6 : 3));
    ctx.font = `${atTop ? 'bold ' : ''}${size}px sans-serif`;
    const room = canvas.width - size * 2;
    let shown = text;
    while (shown.length > 1 && ctx.measureText(shown).width > room) shown = `${[...shown].slice(0, -2).join('')}…`;
    const width = ctx.measureText(shown).width + size;
    const height = size * 1.6;
    const x = (canvas.width - width) / 2;
    const y = atTop ? size * 0.5 : canvas.height - height - size * 0.5;
    ctx.fillStyle = atTop ? 'rgba(10, 70, 160, 0.9)' : 'rgba(0, 0, 0, 0.8)';
    ctx.fillRect(x, y, width, height);
    ctx.fillStyle = '#fff';
    ctx.textBaseline = 'middle';
    ctx.fillText(shown, x + size / 2, y + height / 2);
  }
}
