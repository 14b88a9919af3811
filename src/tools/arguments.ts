// The kinds of arguments that tools share. What a kind means (a url, a path, an element) is enforced here or in the engine, once.
import { z } from 'zod';
import { MODIFIERS } from '../engine/actions/pointer.ts';
import { Failure } from '../errors.ts';
import { checkUrl } from '../policy/urls.ts';
import { calledTool, phrase } from '../text.ts';
import { marked } from './touches.ts';

/** Which tab: the active one when left out. */
export const tabId = z.int().optional();
/** Which frame: the main one when left out. */
export const frameId = z.int().min(0).optional();
export const on = { tabId, frameId };

export const windowId = z.int().optional();

/** An element: ref, semantic locator, CSS or XPath. */
export const selector = z.string().min(1).max(5_000);
export const target = selector.describe('@e5, role:button, text:Save, CSS or xpath=…');

export const point = z.strictObject({ x: z.number(), y: z.number() });

/** Milliseconds. Left out, it is the time that the options give; the schema shows their default. */
export const timeout = (ms: number) => z.number().min(1).max(3_600_000).optional().meta({ default: ms });

export const modifiers = z.array(z.enum(MODIFIERS)).max(4).optional();

/** A page to open: read as a person types it, refused when its scheme is. */
export const pageUrl = marked(z.string().min(1).transform(checkUrl), 'page');

/** Something to fetch for the page; read and checked when it is fetched. */
export const sourceUrl = marked(z.string().max(10_000), 'url');

/** A file of this machine to read; where it may be, the engine decides. */
export const path = marked(z.string().min(1).max(4_096), 'read');

/** A file of this machine to write. */
export const savePath = marked(z.string().min(1).max(4_096), 'write');

/** JavaScript of the caller, to run in a page. */
export const script = marked(z.string(), 'script');

/** Names are tokens, values have no control characters: what HTTP allows. */
export const headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/),
  z.string().regex(/^[^\0\r\n]{0,8000}$/),
);

/** A url to compare with, with * and **, or /regex/. */
export const urlPattern = z.string().min(1).max(5_000);

/** Text that goes into the page. */
export const pageText = z.string().max(1_000_000);

/** Arguments that are needed by some actions only: action → names. */
export function needs(tool: string, input: { action: string }, by: Readonly<Record<string, readonly string[]>>): void {
  const missing = (by[input.action] ?? []).filter(name => Object(input)[name] === undefined);
  if (missing.length > 0)
    throw new Failure(
      'bad_input',
      phrase`${calledTool(tool)} ${input.action} needs ${missing.join(' and ')}.`,
      `Give ${missing.join(' and ')}.`,
    );
}
