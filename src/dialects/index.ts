// The dialects by the name that --dialect gives them.
import { CHROME } from './chrome.ts';
import type { Dialect } from './dialect.ts';
import { VISION } from './vision.ts';

export const DIALECTS: Readonly<Record<string, Dialect>> = { chrome: CHROME, vision: VISION };

/** Its names are accepted also by those who are shown our own. */
export const ACCEPTED: Dialect = CHROME;
