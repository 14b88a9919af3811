// The dialects by the name that --dialect gives them.
import { BROWSION } from './browsion/browsion.ts';
import { CHROME } from './chrome/chrome.ts';
import { DEVTOOLS } from './devtools/devtools.ts';
import type { Dialect } from './dialect.ts';
import { VISION } from './vision/vision.ts';

export const DIALECTS: Readonly<Record<string, Dialect>> = {
  chrome: CHROME,
  vision: VISION,
  devtools: DEVTOOLS,
  browsion: BROWSION,
};

/** Its names are accepted also by those who are shown our own. */
export const ACCEPTED: Dialect = CHROME;
