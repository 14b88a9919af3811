// The tool that waits.
import { z } from 'zod';
import { pause as elapse } from '../../engine/limits.ts';
import { WAITS } from '../../engine/navigation/navigate.ts';
import { CONDITIONS, STATES, wait as waitFor } from '../../engine/navigation/wait.ts';
import { downloadText } from '../../engine/tab/downloads.ts';
import { on, script, selector, timeout } from '../arguments.ts';
import { tool } from '../tool.ts';

export const wait = tool({
  name: 'wait',
  group: 'wait',
  core: true,
  summary: 'Wait for something to happen.',
  on: 'tab',
  effect: 'read',
  despiteDialog: true,
  time: 30_000,
  input: {
    for: z.enum(CONDITIONS),
    selector: selector.optional(),
    state: z.enum(STATES).default('visible'),
    text: z.string().max(5_000).optional().describe('Text or /regex/'),
    url: z.string().max(5_000).optional().describe('With * and **, or /regex/; also for request, response'),
    load_state: z.enum(WAITS).optional(),
    function: script.max(100_000).optional().describe('Body; true when ready'),
    polling: z.number().min(10).max(60_000).default(100),
    duration: z.number().min(0).max(3_600_000).optional().describe('ms, for timeout'),
    filename_contains: z.string().max(500).optional(),
    wait_for_complete: z.boolean().default(true),
    timeout: timeout(30_000),
    ...on,
  },
  run: (tab, input, limits) => waitFor(tab, input, limits),
  // A transfer takes its time.
  patient: input => input.for === 'download',
  text: data => `${data.met} (after ${data.ms} ms)`,
});

export const downloads = tool({
  name: 'downloads',
  group: 'wait',
  summary: 'List the downloads of the session: where each file is, its size, or how far it has come.',
  on: 'session',
  effect: 'read',
  free: true,
  time: 'action',
  input: {},
  run: async ({ context }) => ({ downloads: context.downloads.list().map(row => ({ ...row })) }),
  text: data =>
    data.downloads.length === 0
      ? 'No downloads.'
      : data.downloads.map(row => `${row.id}. ${downloadText(row)}`).join('\n'),
});

export const pause = tool({
  name: 'pause',
  group: 'wait',
  unlisted: true,
  summary: 'Wait for a time, without a browser.',
  on: 'server',
  effect: 'read',
  free: true,
  time: input => input.duration + 1_000,
  input: { duration: z.number().min(0).max(3_600_000) },
  async run(_server, { duration }, { signal }) {
    await elapse(signal, duration);
    return { ms: duration };
  },
  text: ({ ms }) => `${ms} ms are over.`,
});
