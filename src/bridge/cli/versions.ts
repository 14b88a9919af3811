// Versions of agent-browser: whether a version was tested, and its known faults.
import { TESTED } from '../constants.ts';

/** The first thing in the text that looks like a version. */
export const versionIn = (text: string): string | undefined => /\b\d+\.\d+\.\d+\b/.exec(text)?.[0];

export type Standing = 'older' | 'supported' | 'newer';

/** Whether a version is among those that were tested, older or newer. */
export function standing(version: string): Standing {
  if (!atLeast(version, TESTED.oldest)) return 'older';
  return atLeast(TESTED.newest, version) ? 'supported' : 'newer';
}

/** Versions from one on, until another. */
export interface Span {
  from: string;
  before: string;
}

/** Faults of agent-browser itself that cannot be worked around from outside: the same command typed by hand fails as well. */
const FAULTS: readonly (Span & { what: string })[] = [
  {
    from: '0.6.0',
    before: '0.20.0',
    what: 'snapshots leave out frames, closed shadow roots and elements with ": " in their name',
  },
  {
    from: '0.8.7',
    before: '0.9.3',
    what: 'the browser that was named is not the one that starts when AGENT_BROWSER_ARGS is set',
  },
  { from: '0.20.0', before: '0.21.0', what: 'snapshots leave out frames' },
  { from: '0.21.0', before: '0.22.0', what: 'snapshots leave out frames of other sites' },
  { from: '0.23.0', before: '0.23.1', what: 'snapshots leave out frames of other sites' },
  {
    from: '0.20.0',
    before: '0.24.1',
    what: 'a click that opens an alert fails after 30 s; agent_browser_command with ["dialog", "accept"] goes on from there',
  },
  { from: '0.24.1', before: '0.25.2', what: 'on Linux the browser is killed when nothing is asked of it for 10 s' },
  {
    from: '0.20.0',
    before: '0.32.4',
    what: 'agent_browser_find by role finds hardly more than buttons; by label or by text it finds the rest',
  },
];

/** What goes wrong with this version, in words for a person. */
export const faultsOf = (version: string): string[] =>
  FAULTS.filter(fault => isWithin(version, fault)).map(({ what }) => what);

/** A compact snapshot of these leaves out every element that has a state, such as a required field. */
const COMPACT_LOSES: Span = { from: '0.20.0', before: '0.22.3' };

export const losesElements = (version: string | undefined): boolean => isWithin(version, COMPACT_LOSES);

/** These compare the pattern of a url with its text as if it had no `*`. */
const NO_PATTERNS: Span = { from: '0.20.0', before: '0.30.1' };

export const knowsNoPatterns = (version: string | undefined): boolean => isWithin(version, NO_PATTERNS);

export const isWithin = (version: string | undefined, { from, before }: Span): boolean =>
  version !== undefined && atLeast(version, from) && !atLeast(version, before);

/** Whether one version is the other or comes after it. */
export function atLeast(one: string, other: string): boolean {
  const [left, right] = [one, other].map(version => version.split('.').map(Number)) as [number[], number[]];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 || (left[at] ?? 0) > (right[at] ?? 0);
}
