// The parts of the fuzzing, and the seed that they start from.
import { browserLink } from './browser-link.ts';
import type { Part } from './campaign.ts';
import { hostileDom } from './hostile-dom.ts';
import { httpDoor } from './http-door.ts';
import { toolArguments } from './tool-arguments.ts';

export const PARTS: readonly Part[] = [httpDoor, toolArguments, browserLink, hostileDom];

/** The given one, else one of its own for every run. */
export const seedOf = (given: string | undefined): number =>
  given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
