// The kinds of text that a tool takes, each with what must never reach the command line.
import { z } from 'zod';
import { Failure } from '../errors.ts';
import { checkUrl } from '../policy/urls.ts';
import { ARG_LIMIT } from './constants.ts';
import { relativePathProblem } from './files.ts';

/**
 * agent-browser looks for its flags in every argument and has no way to quote one: `fill @e1 --json` empties the field.
 * So a text that reads as a flag is refused, whatever it was meant to be.
 */
export const isFlag = (text: string): boolean => /^(?:-[a-z]|--[a-z][a-z0-9-]*)(?:=|$)/i.test(text);

const FLAG = 'reads as a flag of agent-browser, which cannot quote it; type it in two calls of agent_browser_type';

const plain = (least: number) =>
  z
    .string()
    .min(least)
    .max(ARG_LIMIT)
    .refine(text => !text.includes('\0'), 'holds a NUL character')
    .refine(text => !isFlag(text), FLAG);

/** Any text that may be empty, such as the new value of a field. */
export const text = plain(0);

export const word = plain(1);

export const target = word.describe('@e5 from agent_browser_snapshot, CSS, or XPath');

export const selector = word.describe('CSS selector');

/** Also the name of files in agent-browser's own folder. */
export const session = z
  .string()
  .regex(/^[a-z0-9_][a-z0-9_.-]{0,63}$/i, 'must be letters, digits, "_", "-" and ".", at most 64');

export const url = word.transform((typed, context) => {
  try {
    return checkUrl(typed);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.addIssue({ code: 'custom', message: error.message, input: typed });
    return z.NEVER;
  }
});

/** Names are tokens and values have no line breaks: nothing else is a header. */
export const headers = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,256}$/, 'is no name of a header'),
    z.string().regex(/^[^\0\r\n]*$/, 'holds a line break or a NUL character'),
  )
  .refine(record => JSON.stringify(record).length <= ARG_LIMIT, `must have at most ${ARG_LIMIT} characters`);

/** A file that is read or written; the folders are checked when the call runs. */
export const file = word;

/** A file to be written, below a folder of the server. */
export const relativeFile = file.superRefine((given, context) => {
  const wrong = relativePathProblem(given);
  if (wrong)
    context.addIssue({ code: 'custom', message: `${JSON.stringify(given.slice(0, 200))} is refused: ${wrong}` });
});
