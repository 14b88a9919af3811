// Runs inside the encoder page: draws the frames of a recording with their marks, and encodes them as video.
// Self-contained: the class is sent as text, so it uses nothing but itself and the browser.

export interface FramePoint {
  x: number;
  y: number;
}

/** Something to draw onto a frame; points are in pixels of the page's viewport. */
export type FrameMark =
  | { kind: 'click'; at: FramePoint }
  | { kind: 'drag'; from: FramePoint; to: FramePoint }
  /** What was done. */
  | { kind: 'label'; text: string }
  /** What the caller says about it. */
  | { kind: 'note'; text: string };

export interface FrameContent {
  /** A JPEG in base64; the same as before when left out. */
  picture?: string;
  view: { width: number; height: number };
  marks: FrameMark[];
}

/** A part of the frame that differs from the one before; its pixels as RGBA in base64. */
export interface Changed {
  x: number;
  y: number;
  width: number;
  height: number;
  rgba: string;
}

export interface Encoded {
  key: boolean;
  ms: number;
  /** Base64. */
  bytes: string;
}

export class FrameRenderer {
  readonly canvas = new OffscreenCanvas(1, 1);
  readonly pen = this.canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  image: ImageBitmap | undefined;
  before: Uint32Array | undefined;
  encoder: VideoEncoder | undefined;
  done: EncodedVideoChunk[] = [];
  fault: Error | undefined;

  open({ width, height }: { width: number; height: number }): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.pen.imageSmoothingQuality = 'high';
  }

  /** Prepares for video; gives the codec that this browser has, or nothing. */
  async openVideo({ each }: { each: number }): Promise<'V_VP8' | 'V_VP9' | undefined> {
    const { width, height } = this.canvas;
    this.encoder = new VideoEncoder({
      output: chunk => void this.done.push(chunk),
      error: error => {
        this.fault = error;
      },
    });
    for (const [codec, name] of [
      ['vp09.00.50.08', 'V_VP9'],
      ['vp8', 'V_VP8'],
    ] as const) {
      const bitrate = Math.max(500_000, width * height * 4);
      const config = { codec, width, height, bitrate, framerate: 1_000 / each, latencyMode: 'quality' as const };
      if (!(await VideoEncoder.isConfigSupported(config)).supported) continue;
      this.encoder.configure(config);
      return name;
    }
    return undefined;
  }

  /** Draws the content; gives what differs from the content before, or nothing. */
  async patch(content: FrameContent): Promise<Changed | undefined> {
    await this.draw(content);
    const { width, height } = this.canvas;
    const now = new Uint32Array(this.pen.getImageData(0, 0, width, height).data.buffer);
    const box = this.difference(now);
    this.before = now;
    if (!box) return undefined;
    return { ...box, rgba: await this.base64(this.pen.getImageData(box.x, box.y, box.width, box.height).data) };
  }

  difference(now: Uint32Array): { x: number; y: number; width: number; height: number } | undefined {
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
  async film({ content, ms, key }: { content: FrameContent; ms: number; key: boolean }): Promise<Encoded[]> {
    await this.draw(content);
    const { encoder } = this;
    if (!encoder || this.fault) throw this.fault ?? new Error('no encoder');
    const frame = new VideoFrame(this.canvas, { timestamp: Math.round(ms * 1_000) });
    encoder.encode(frame, { keyFrame: key });
    frame.close();
    if (encoder.encodeQueueSize > 3) await encoder.flush();
    return this.take();
  }

  async finish(): Promise<Encoded[]> {
    await this.encoder?.flush();
    if (this.fault) throw this.fault;
    return this.take();
  }

  take(): Promise<Encoded[]> {
    return Promise.all(
      this.done.splice(0).map(async chunk => {
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
    const { canvas, pen } = this;
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
    pen.fillStyle = '#000';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, left, top, width, height);
    const onFrame = ({ x, y }: FramePoint): FramePoint => ({
      x: left + (x / view.width) * width,
      y: top + (y / view.height) * height,
    });
    for (const mark of marks) this.mark(mark, onFrame);
  }

  mark(mark: FrameMark, onFrame: (point: FramePoint) => FramePoint): void {
    if (mark.kind === 'click') this.ring(onFrame(mark.at));
    else if (mark.kind === 'drag') this.arrow(onFrame(mark.from), onFrame(mark.to));
    else this.caption(mark.text, mark.kind === 'note');
  }

  /** Lengths follow the size of the frame. */
  get unit(): number {
    return Math.max(3, Math.min(this.canvas.width, this.canvas.height) / 120);
  }

  ring({ x, y }: FramePoint): void {
    const { pen, unit } = this;
    pen.beginPath();
    pen.arc(x, y, unit * 3, 0, Math.PI * 2);
    pen.fillStyle = 'rgba(255, 40, 40, 0.35)';
    pen.fill();
    pen.lineWidth = unit * 0.6;
    pen.strokeStyle = 'rgba(220, 0, 0, 0.95)';
    pen.stroke();
    pen.beginPath();
    pen.arc(x, y, unit * 0.8, 0, Math.PI * 2);
    pen.fillStyle = 'rgb(220, 0, 0)';
    pen.fill();
  }

  arrow(from: FramePoint, to: FramePoint): void {
    const { pen, unit } = this;
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const wing = (turn: number) =>
      pen.lineTo(to.x - unit * 3 * Math.cos(angle + turn), to.y - unit * 3 * Math.sin(angle + turn));
    pen.strokeStyle = pen.fillStyle = 'rgb(255, 120, 0)';
    pen.lineWidth = unit * 0.8;
    pen.beginPath();
    pen.arc(from.x, from.y, unit * 1.5, 0, Math.PI * 2);
    pen.fill();
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    wing(0.5);
    pen.moveTo(to.x, to.y);
    wing(-0.5);
    pen.stroke();
  }

  /** One line of text on a dark ground: at the top, or at the bottom. */
  caption(text: string, atTop: boolean): void {
    const { canvas, pen, unit } = this;
    const size = Math.max(9, unit * (atTop ? 3.6 : 3));
    pen.font = `${atTop ? 'bold ' : ''}${size}px sans-serif`;
    const room = canvas.width - size * 2;
    let shown = text;
    while (shown.length > 1 && pen.measureText(shown).width > room) shown = `${[...shown].slice(0, -2).join('')}…`;
    const width = pen.measureText(shown).width + size;
    const height = size * 1.6;
    const x = (canvas.width - width) / 2;
    const y = atTop ? size * 0.5 : canvas.height - height - size * 0.5;
    pen.fillStyle = atTop ? 'rgba(10, 70, 160, 0.9)' : 'rgba(0, 0, 0, 0.8)';
    pen.fillRect(x, y, width, height);
    pen.fillStyle = '#fff';
    pen.textBaseline = 'middle';
    pen.fillText(shown, x + size / 2, y + height / 2);
  }
}
