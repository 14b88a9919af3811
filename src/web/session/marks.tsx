// Elements of the snapshot on the picture: which line is pointed at, and where its element is.
import { signal } from '@preact/signals';
import type { ViewedSnapshot } from '../../surfaces/view/protocol.ts';

/** The snapshot that is shown beside the picture. */
export const viewed = signal<ViewedSnapshot | undefined>();
/** The line that is pointed at, in the text or on the picture. */
export const marked = signal<number | undefined>();

/** The line of the smallest element at a point. */
export function elementAt({ x, y }: { x: number; y: number }): number | undefined {
  const under = viewed.value?.elements.filter(
    ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
  );
  return under?.sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height)[0]?.line;
}

export function Mark({ size }: { size: { width: number; height: number } }) {
  const found = viewed.value?.elements.find(({ line }) => line === marked.value);
  if (!found) return null;
  const { box, ref } = found;
  const share = (value: number, whole: number) => `${(100 * value) / whole}%`;
  return (
    <span
      class="mark"
      aria-hidden="true"
      style={{
        left: share(box.x, size.width),
        top: share(box.y, size.height),
        width: share(box.width, size.width),
        height: share(box.height, size.height),
      }}
    >
      <span class="mark-ref">{ref}</span>
    </span>
  );
}
