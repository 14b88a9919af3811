// The tool that waits.
import { z } from 'zod';
import { pause as elapse } from '../../engine/limits.ts';
import { WAITS } from '../../engine/navigation/navigate.ts';
import { CONDITIONS, STATES, wait as waitFor } from '../../engine/navigation/wait.ts';
import { downloadText } from '../../engine/tab/downloads.ts';
import { about, number, on, place, rare, script, selector, text, timeout } from '../arguments.ts';
import { tool } from '../tool.ts';

export const wait = tool({
  core: true,
  summary: 'Wait for something to happen.',
  example: ['text', 'text=Welcome'],
  effect: 'read',
  despiteDialog: true,
  time: 30_000,
  input: {
    for: about('What to wait for; the arguments that it needs follow', z.enum(CONDITIONS)),
    selector: about('The element, for selector', selector.optional()),
    state: about('What the element must be', z.enum(STATES).default('visible')),
    text: about('Text or /regex/ that the page must show, for text', text(5_000).optional(), 'Text or /regex/'),
    url: about(
      'With * and **, or /regex/; also for request, response',
      text(5_000).optional(),
      'With * and **, or /regex/',
    ),
    load_state: about('How far the page must have loaded, for load_state', z.enum(WAITS).optional()),
    function: about(
      'Body of a JavaScript function that returns true when it is ready, for function',
      script.max(100_000).optional(),
      'Body; true when ready',
    ),
    polling: about('How often the function is called, in ms', number(10, 60_000).default(100)),
    duration: about('How long to wait, in ms, for timeout', number(0, 3_600_000).optional(), 'ms, for timeout'),
    filename_contains: about('Part of the name of the file, for download', text(500).optional()),
    wait_for_complete: rare('Wait until the download is done, not only begun', on),
    timeout: timeout(30_000),
    ...place,
  },
  run: (tab, input, limits) => waitFor(tab, input, limits),
  // A transfer takes its time.
  patient: input => input.for === 'download',
  text: data => `${data.met} (after ${data.ms} ms)`,
});

export const downloads = tool({
  summary: 'List the downloads of the session: where each file is, its size, or how far it has come.',
  on: 'session',
  effect: 'read',
  free: true,
  input: {},
  run: async ({ context }) => ({ downloads: context.downloads.list().map(row => ({ ...row })) }),
  text: data =>
    data.downloads.length === 0
      ? 'No downloads.'
      : data.downloads.map(row => `${row.id}. ${downloadText(row)}`).join('\n'),
});

export const pause = tool({
  unlisted: true,
  summary: 'Wait for a time, without a browser.',
  on: 'server',
  effect: 'read',
  free: true,
  time: input => input.duration + 1_000,
  input: { duration: number(0, 3_600_000) },
  async run(_server, { duration }, { signal }) {
    await elapse(signal, duration);
    return { ms: duration };
  },
  text: ({ ms }) => `${ms} ms are over.`,
});
