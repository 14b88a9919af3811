// Regular expressions of callers: one that never ends must not stop the server.
import { Failure } from '../errors.ts';
import { search } from '../policy/bounded.ts';

/** For all texts together. */
const MOST_MS = 250;

/** Which of the texts the pattern matches: `error|warn`, or with flags `/error/i`. */
export function matching(pattern: string, texts: readonly string[]): boolean[] {
  const regex = compiled(pattern);
  try {
    return search([regex], texts, MOST_MS)[0] ?? [];
  } catch (cause) {
    throw new Failure(
      'bad_input',
      `The pattern ${JSON.stringify(pattern.slice(0, 100))} takes too long.`,
      'Write a simpler one, without repetitions inside repetitions.',
      { cause },
    );
  }
}

function compiled(pattern: string): RegExp {
  const [, source = pattern, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? [];
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    throw new Failure(
      'bad_input',
      `${JSON.stringify(pattern.slice(0, 100))} is not a regular expression: ${cause instanceof Error ? cause.message : cause}`,
      'Mend it: signs such as ( [ { * + ? need a backslash to be taken as they are.',
      { cause },
    );
  }
}
