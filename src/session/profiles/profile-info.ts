// A profile as callers see it, with its browser when that runs.
import { sessionOf } from '../names.ts';
import { known, type Profile } from './profile.ts';
import type { Running } from './running-browsers.ts';

export interface Run {
  profile_id: string;
  pid: number;
  cdp_port: number;
  /** Seconds since 1970. */
  launched_at: number;
  /** Without a window. */
  headless: boolean;
}

export interface ProfileRow extends Profile {
  is_running: boolean;
  /** What calls name to use its browser. */
  session: string;
  run?: Run;
}

/** Undefined while it starts. */
export const told = ({ profile_id, pid, launched_at, headless, door }: Running): Run | undefined =>
  door && { profile_id, pid, cdp_port: door.port, launched_at, headless };

export function rowOf(profile: Profile, runs: readonly Running[]): ProfileRow {
  const running = runs.find(({ profile_id }) => profile_id === profile.id);
  const run = running && told(running);
  return { ...known(profile), is_running: run !== undefined, session: sessionOf(profile.id), ...(run && { run }) };
}
