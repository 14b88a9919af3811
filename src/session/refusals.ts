// Refusals: why a caller does not get a session, in words that tell what to do instead.
import { Failure, refusedBy } from '../errors.ts';
import { shownName } from './names.ts';

export const accessDenied = (
  key: string,
  hint = 'Use another name, or leave "session" out to use your own.',
): Failure => refusedBy('a session belongs to its owner', `Access denied to session: ${key}`, hint);

export const notFound = (key: string): Failure =>
  new Failure(
    'no_session',
    `Session not found: ${shownName(key)}`,
    'See session_list, or make it with session_create.',
  );

export const beingClosed = (key: string): Failure =>
  new Failure(
    'no_session',
    `Session ${shownName(key)} is being closed.`,
    'Call again in a moment, or use another session.',
  );

export const closedMeanwhile = (key: string): Failure =>
  new Failure(
    'cancelled',
    `Session ${shownName(key)} was closed during this call.`,
    'Nothing of it is left; use another session.',
  );

export const notShareable = (why: string, rule: string): Failure =>
  refusedBy(rule, `${why}: rule "${rule}".`, 'Leave "shared" out.');

export const borrowed = (): Failure =>
  refusedBy(
    'the browser keeps its own state',
    'The default session is that of the attached browser or profile: Tabwright does not close it.',
    'Close its tabs with tab_close.',
  );

export const goesOn = (profile: string): Failure =>
  refusedBy(
    'the browser of a profile goes on',
    `The session of profile ${profile} is that of its browser, which goes on.`,
    'End the browser with profile kill.',
  );

export function tooMany(most: number, of: 'caller' | 'server', own: string[]): Failure {
  const option = of === 'caller' ? 'max-sessions-per-caller' : 'max-sessions';
  const whose = of === 'caller' ? 'You have' : 'There are';
  const names = own.map(shownName).join(', ');
  return refusedBy(
    `--${option}`,
    `${whose} already ${most} session${most === 1 ? '' : 's'}, the most that are allowed: rule "--${option}".`,
    own.length > 0 ? `Use one of yours (${names}), or end one with session_close.` : 'Try again later.',
  );
}
