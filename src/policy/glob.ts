// Globs: `*` stands for anything but a slash, `**` for anything, `**/` for any folders or none. Linear in the text: no glob can hang.

/** One step of the small machine that a glob becomes. Loops consume what they take and may be left at any time. */
type Step = { char: string } | 'segment' | 'any' | 'folders' | 'skip';

function compile(glob: string): Step[] {
  return (glob.match(/\*\*\/|\*\*|\*|[^*]/gsu) ?? []).flatMap((part): Step[] => {
    if (part === '**/') return ['skip', 'folders'];
    if (part === '**') return ['any'];
    return part === '*' ? ['segment'] : [{ char: part }];
  });
}

/** Adds a position in the glob, and those reachable from it without consuming a character. */
function enter(steps: readonly Step[], at: number, positions: Set<number>): void {
  if (positions.has(at)) return;
  positions.add(at);
  const step = steps[at];
  if (step === 'segment' || step === 'any') enter(steps, at + 1, positions);
  if (step === 'skip') {
    enter(steps, at + 1, positions);
    enter(steps, at + 2, positions);
  }
}

function read(steps: readonly Step[], at: number, char: string, next: Set<number>): void {
  const step = steps[at];
  if (step === undefined || step === 'skip') return;
  if (typeof step === 'object') {
    if (step.char === char) enter(steps, at + 1, next);
    return;
  }
  if (step === 'any' || step === 'folders' || char !== '/') enter(steps, at, next);
  if (step === 'folders' && char === '/') enter(steps, at + 1, next);
}

/** Tells whether the glob matches the whole text. */
export function globMatcher(glob: string): (text: string) => boolean {
  const steps = compile(glob);
  return text => {
    let positions = new Set<number>();
    enter(steps, 0, positions);
    for (const char of text) {
      const next = new Set<number>();
      for (const at of positions) read(steps, at, char, next);
      if (next.size === 0) return false;
      positions = next;
    }
    return positions.has(steps.length);
  };
}
