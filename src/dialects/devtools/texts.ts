// The texts of answers: what was done, and on lines of their own what the page did.
import type { NativeText } from '../definition.ts';
import type { Args } from '../dialect.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const member = (value: unknown, name: string): unknown => Object(value)[name];

/** What an action caused. A dialog and new pages have sections of their own. */
function effects(facts: Args): string[] {
  const { navigated, navigating, download, errors, holds } = facts;
  return [
    ...(holds === undefined ? [] : [`The page made it ${holds}.`]),
    ...(navigated === undefined ? [] : [`The page is now ${member(navigated, 'url')}`]),
    ...(navigating === undefined ? [] : [`The page is loading ${navigating}, which has not answered yet.`]),
    ...(download === undefined ? [] : [`Download started: ${download}`]),
    ...list(errors).map(error => `Page error: ${error}`),
  ];
}

export const noText = (): string => '';

/** What was done, then what it caused. */
export const actionText =
  (action: string) =>
  (facts: Args): string =>
    [action, ...effects(facts)].join('\n');

/** Of a navigation: only what is not as it should be. */
export function navigationText({ status, reason, unfinished, dialog: _, ...facts }: Args): string {
  return [
    ...(typeof status === 'number' && status >= 400 ? [`The server answered ${status} ${reason ?? ''}`.trimEnd()] : []),
    ...(unfinished === undefined ? [] : [`The page is still loading: ${unfinished} has not fired.`]),
    ...effects({ download: facts.download, errors: facts.errors }),
  ].join('\n');
}

/** The name of the file as the caller gave it. */
export function uploadText(facts: Args): string {
  const [file] = list(member(facts.input, 'files'));
  return actionText(`File uploaded from ${file}.`)(facts);
}

export const dialogText = (facts: Args): string =>
  actionText(`Successfully ${String(facts.answered ?? 'answered').toLowerCase()} the dialog`)(facts);

/** A picture that is too large for a chat is in a file. */
export function screenshotText({ file, input, scale, given }: Args): string {
  const uid = member(given, 'uid');
  const what =
    uid !== undefined
      ? `Took a screenshot of node with uid "${uid}".`
      : member(input, 'full_page') === true
        ? 'Took a screenshot of the full current page.'
        : "Took a screenshot of the current page's viewport.";
  return [
    what,
    ...(scale === undefined ? [] : [`It is shown ${sizeText(Number(scale))}; filePath keeps all of it.`]),
    ...(file === undefined ? [] : [`Saved screenshot to ${member(file, 'path')}.`]),
  ].join('\n');
}

/** A scale that rounds to 1 is still a smaller picture. */
const sizeText = (scale: number): string =>
  scale < 1 ? `at ${Math.round(scale * 100)} % of its size` : 'slightly smaller than it is';

/** The value as JSON, in a fence. */
export function scriptText({ type, text, cutFrom }: Args): string {
  const value = type === 'string' ? JSON.stringify(text) : String(text);
  return [
    'Script ran on page and returned:',
    '```json',
    value,
    '```',
    ...(cutFrom === undefined ? [] : [`The value is cut: it has ${cutFrom} bytes in all.`]),
  ].join('\n');
}

/** The native text about a trace; while it runs, how it is stopped. */
export function traceText({ started }: Args, { text }: NativeText): string {
  return started === undefined
    ? `The performance trace has been stopped.\n${text}`
    : 'The performance trace is being recorded. Use performance_stop_trace to stop it.';
}
