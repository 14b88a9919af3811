// Live pictures: which tabs are watched, and drawing what comes on their canvases. Nothing is watched while the page is hidden.
import type { PictureSize } from '../../surfaces/view/protocol.ts';
import { type LiveFrame, on, onFrame, send } from './connection.ts';

interface Watch {
  session: string;
  tab: number;
  size: PictureSize;
  canvas: HTMLCanvasElement;
  /** The size of what is shown, in CSS pixels. */
  onPicture(width: number, height: number): void;
  onNone(why: string): void;
}

const watches = new Map<number, Watch>();
let lastWatch = 0;

/** Begins to watch; the answer ends it. */
export function watchTab(watch: Watch): () => void {
  const number = ++lastWatch;
  watches.set(number, watch);
  if (!document.hidden) begin(number, watch);
  return () => {
    watches.delete(number);
    send({ type: 'unwatch', watch: number });
  };
}

const begin = (watch: number, { session, tab, size }: Watch): void =>
  send({ type: 'watch', watch, session, tab, size });

async function draw({ watch, frame, jpeg, width, height }: LiveFrame): Promise<void> {
  const target = watches.get(watch);
  if (!target) return;
  try {
    const bitmap = await createImageBitmap(jpeg);
    const { canvas } = target;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    target.onPicture(width, height);
  } catch {
    target.onNone('This picture could not be read; the next one may be.');
  }
  send({ type: 'drawn', watch, frame });
}

export function startPictures(): void {
  onFrame(frame => void draw(frame));
  on('noPicture', ({ watch, why }) => watches.get(watch)?.onNone(why));
  on('hello', () => {
    if (!document.hidden) for (const [number, watch] of watches) begin(number, watch);
  });
  document.addEventListener('visibilitychange', () => {
    for (const [number, watch] of watches)
      if (document.hidden) send({ type: 'unwatch', watch: number });
      else begin(number, watch);
  });
}
