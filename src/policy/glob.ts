// Globs: `*` stands for anything but a slash, `**` for anything, `**/` for any folders or none. Linear in the text: no glob can hang.

/** One step of the small machine that a glob becomes. Loops consume what they take and may be left at any time. */
type Step = { char: string } | 'segment' | 'any' | 'folders' | 'skip';

const ONE_SEGMENT: Step = 'segment';

function compile(glob: string): Step[] {
  return (glob.match(/\*\*\/|\*\*|\*|[^*]/gsu) ?? []).flatMap((part): Step[] => {
    if (part === '**/') return ['skip', 'folders'];
    if (part === '**') return ['any'];
    return part === '*' ? [ONE_SEGMENT] : [{ char: part }];
  });
}

/** Adds a place in the glob, and those that are reached from it without reading anything. */
function enter(steps: readonly Step[], at: number, places: Set<number>): void {
  if (places.has(at)) return;
  places.add(at);
  const step = steps[at];
  if (step === 'segment' || step === 'any') enter(steps, at + 1, places);
  if (step === 'skip') {
    enter(steps, at + 1, places);
    enter(steps, at + 2, places);
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
    let places = new Set<number>();
    enter(steps, 0, places);
    for (const char of text) {
      const next = new Set<number>();
      for (const at of places) read(steps, at, char, next);
      if (next.size === 0) return false;
      places = next;
    }
    return places.has(steps.length);
  };
}
