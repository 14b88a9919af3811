// The kinds of arguments that tools share. What a kind means (a url, a path, an element, a secret) is enforced here or in the engine, once.
import { z } from 'zod';
import { RECEIPTS } from '../config/options.ts';
import { MODIFIERS } from '../engine/input/keys.ts';
import { Failure } from '../errors.ts';
import { checkUrl } from '../policy/urls.ts';
import { calledTool, phrase } from '../text.ts';
import { marked } from './touches.ts';

/** What a schema can say beside the description, which tools/list shows because every model needs it. */
declare module 'zod' {
  interface GlobalMeta {
    /** For the docs and the command line: the whole meaning, instead of the description. */
    docs?: string;
    /** Accepted, but left out of tools/list: few calls need it, and every model pays for the list in every chat. */
    unlisted?: boolean;
  }
}

/** `docs` is the whole meaning; `brief` is what tools/list says of it, nothing when left out. */
export const about = <S extends z.ZodType>(docs: string, schema: S, brief?: string): S =>
  schema.meta({ docs, ...(brief && { description: brief }) });

/** An argument that few calls need: left out of tools/list. */
export const rare = <S extends z.ZodType>(docs: string, schema: S): S => schema.meta({ docs, unlisted: true });

/** Text that the journal may keep. */
export const text = (longest: number) => marked(z.string().max(longest), 'plain');
export const someText = (longest: number) => text(longest).min(1);

/** Text that goes into a page or a store, and may be a secret. */
export const typedText = (longest = 1_000_000) => marked(z.string().max(longest), 'typed');

/** Data of any form that may hold secrets. */
export const typedData = () => marked(z.record(z.string(), z.unknown()), 'typed');

export const int = (least: number, most: number) => z.int().min(least).max(most);
export const number = (least: number, most: number) => z.number().min(least).max(most);

export const off = z.boolean().default(false);
export const on = z.boolean().default(true);

export const tabId = z.int().optional().meta({ docs: 'Which tab; the active one if left out' });
const frameId = z.int().min(0).optional().meta({ docs: 'Which frame; the main one, 0, if left out' });
/** Where an action on an element takes place. */
export const place = { tabId, frameId };

/** Where a tool acts that tells what has changed on the page. */
export const acting = {
  receipt: rare('What else has changed on the page: nothing, the main lines, or up to 60', z.enum(RECEIPTS).optional()),
  ...place,
};

export const windowId = z.int().optional().meta({ docs: 'Which window' });

/** An element: ref, semantic locator, CSS or XPath. */
export const selector = someText(5_000).meta({
  docs: 'Ref (@e5), role:button, text:Save, label:Email, CSS or xpath=…',
});

export const point = z
  .strictObject({ x: z.number(), y: z.number() })
  .meta({ docs: 'A point of the viewport, in CSS pixels' });

/** Milliseconds, for tools whose time follows from their other arguments. */
export const ownTimeout = number(1, 3_600_000).optional().meta({ docs: 'Most time for the call, in ms' });

/** Left out, it is the time that the options give; the schema shows their default. */
export const timeout = (ms: number) => ownTimeout.meta({ default: ms });

export const modifiers = z.array(z.enum(MODIFIERS)).max(4).optional().meta({ docs: 'Keys that are held down' });

export const maxChars = int(200, 10_000_000).optional().meta({ docs: 'Longest answer, in characters' });

/** Sides of a page, window or screen, in CSS pixels. */
export const side = int(1, 10_000);

/** A page to open: read as a person types it, refused when its scheme is. */
export const pageUrl = marked(z.string().min(1).transform(checkUrl), 'page');

/** Something to fetch for the page; read and checked when it is fetched. */
export const sourceUrl = marked(z.string().max(10_000), 'url');

/** A file of this machine to read; where it may be, the engine decides. */
export const path = marked(z.string().min(1).max(4_096), 'read');

/** A file of this machine to write. */
export const savePath = marked(z.string().min(1).max(4_096), 'write').meta({
  docs: 'File to write; a relative path counts from the output folder',
});

/** JavaScript of the caller, to run in a page. */
export const script = marked(z.string(), 'script');

/** Names are tokens, values have no control characters: what HTTP allows. */
export const headers = marked(
  z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/), z.string().regex(/^[^\0\r\n]{0,8000}$/)),
  'plain',
);

/** A url to compare with, with * and **, or /regex/. */
export const urlPattern = someText(5_000).meta({
  docs: 'Url to compare with: * and ** stand for any text, or /regex/',
});

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
