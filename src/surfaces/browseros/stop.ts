// Why the process ends before its time: its parent tells failures apart by the exit code, people by the lines on stderr.

export const EXIT_CODES = { arguments: 1, cdp: 2, bind: 3 } as const;

export class Stop extends Error {
  override readonly name = 'Stop';
  readonly lines: readonly string[];

  /** Each line tells one thing, so that a parent can look for it. */
  constructor(
    readonly reason: keyof typeof EXIT_CODES,
    ...lines: string[]
  ) {
    super(lines.join('\n'));
    this.lines = lines;
  }

  get exitCode(): number {
    return EXIT_CODES[this.reason];
  }
}
