// The progress of a long task: on a terminal one line that moves, elsewhere a line per step.
import type { InstallListener } from '../../../engine/browser/install.ts';

const TICK_MS = 200;
const BAR = 20;

export interface Out {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface InstallProgress extends InstallListener {
  /** Nothing moves any more, and the moving line is gone. */
  end(): void;
}

export function progress(out: Out): InstallProgress {
  return out.isTTY ? moving(out) : plain(out);
}

const plain = (out: Out): InstallProgress => ({
  step: text => void out.write(`${text}…\n`),
  moved: () => undefined,
  note: text => void out.write(`${text}\n`),
  end: () => undefined,
});

function moving(out: Out): InstallProgress {
  let step = '';
  let detail = '';
  let fraction: number | undefined;
  let since = 0;
  const draw = () => {
    if (!step) return;
    const line = [step, bar(fraction), `${Math.floor((performance.now() - since) / 1000)} s`, detail];
    out.write(
      `\r\u001b[K${line
        .filter(Boolean)
        .join('  ')
        .slice(0, (out.columns || 80) - 1)}`,
    );
  };
  const clear = () => step && out.write('\r\u001b[K');
  const timer = setInterval(draw, TICK_MS).unref();
  return {
    step(text) {
      clear();
      [step, detail, fraction, since] = [text, '', undefined, performance.now()];
      draw();
    },
    moved(text, part = fraction) {
      [detail, fraction] = [text.trim(), part];
    },
    note(text) {
      clear();
      out.write(`${text}\n`);
    },
    end() {
      clearInterval(timer);
      clear();
      step = '';
    },
  };
}

function bar(fraction: number | undefined): string {
  if (fraction === undefined) return '';
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * BAR);
  return `[${'='.repeat(full)}${' '.repeat(BAR - full)}] ${Math.round(fraction * 100)} %`;
}
