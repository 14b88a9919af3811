// The progress of a call: one line of a terminal, wiped when the call is done.
import type { Progress } from '../../../engine/limits.ts';

export interface StatusLine {
  /** Absent where nobody would see it: the call then need not report progress. */
  progress?: (step: Progress) => void;
  wipe(): void;
}

const WIPE = '\r\u001b[K';

export function statusLine(stream: NodeJS.WriteStream = process.stderr): StatusLine {
  if (!stream.isTTY) return { wipe: () => undefined };
  let isShown = false;
  return {
    progress({ done, total, message }) {
      const text = message ?? (total === undefined ? `${done}` : `${done} of ${total}`);
      stream.write(`${WIPE}${text.replace(/\s+/g, ' ').slice(0, (stream.columns || 80) - 1)}`);
      isShown = true;
    },
    wipe() {
      if (isShown) stream.write(WIPE);
      isShown = false;
    },
  };
}
