// Why something cannot be done with a profile, in words that tell what to do instead.
import { Failure, refusedBy } from '../../errors.ts';
import { type BoundaryOptions, boundaryOf } from '../../policy/boundary.ts';
import { sessionOf } from '../names.ts';
import type { Running } from './running-browsers.ts';

export const noProfile = (id: string): Failure =>
  new Failure('no_profile', `There is no profile ${JSON.stringify(id.slice(0, 100))}.`, 'See profile_list.');

export const noBrowser = (id: string): Failure =>
  new Failure(
    'browser_not_running',
    `The browser of profile ${id} does not run.`,
    `Start it with profile {"action":"launch","id":${JSON.stringify(id)}}.`,
  );

export const runsAlready = ({ profile_id: id, pid, door }: Running): Failure =>
  new Failure(
    'profile_running',
    `Profile ${id} runs already (pid ${pid}${door ? `, port ${door.port}` : ', starting'}).`,
    `Use it with "session": "${sessionOf(id)}", or end it with profile kill.`,
  );

export const runsStill = ({ profile_id: id, pid }: Running, wish: string): Failure =>
  new Failure('profile_running', `Profile ${id} runs (pid ${pid}): ${wish}.`, 'End it first with profile kill.');

export const idTaken = (id: string): Failure =>
  new Failure('profile_taken', `There is already a profile ${id}.`, 'Choose another id, or leave it out.');

export const folderTaken = (folder: string, whose: string): Failure =>
  new Failure(
    'profile_taken',
    `The folder ${folder} is in use by ${whose}.`,
    'Give this profile a folder of its own, or end that browser.',
  );

export const tooManyRun = (most: number): Failure =>
  refusedBy(
    '--max-sessions',
    `${most} profiles run already, the most that are allowed: rule "--max-sessions".`,
    'End one with profile kill.',
  );

export const endedByItself = (id: string): Failure =>
  new Failure('browser_gone', `The browser of profile ${id} has ended.`, 'Look with profile_list; launch it again.');

export const killed = (id: string): Failure =>
  new Failure('browser_not_running', `The browser of profile ${id} was ended during this call.`, 'Launch it again.');

/** A browser that outlives the server cannot be held to the server's rules for urls: then there is none. */
export function checkUnruled(options: BoundaryOptions): void {
  const rule = ruleOf(options);
  if (rule === undefined) return;
  throw refusedBy(
    rule,
    `Profiles are not used here: their browsers could not be held to the rules for urls: rule "${rule}".`,
    'Use a session without a profile.',
  );
}

/** The option that sets rules for urls; undefined without rules. */
export function ruleOf(options: BoundaryOptions): string | undefined {
  if (!boundaryOf(options).holds) return undefined;
  if (options.allowUrls.length > 0) return '--allow-urls';
  return options.blockUrls.length > 0 ? '--block-urls' : '--block-private';
}
