// The tool that waits.
import { z } from 'zod';
import { WAITS } from '../engine/navigate.ts';
import { CONDITIONS, STATES, wait as waitFor } from '../engine/wait.ts';
import { on, selector, timeout } from './arguments.ts';
import { tool } from './tool.ts';

export const wait = tool({
  name: 'wait',
  group: 'wait',
  core: true,
  summary: 'Wait for an element, text, url, load state, script, request, download, or for time.',
  on: 'tab',
  effect: 'read',
  despiteDialog: true,
  time: 30_000,
  input: {
    for: z.enum(CONDITIONS),
    selector: selector.optional(),
    state: z.enum(STATES).default('visible'),
    text: z.string().max(5_000).optional().describe('Text or /regex/'),
    url: z.string().max(5_000).optional().describe('Pattern with * and **, or /regex/; also for request and response'),
    load_state: z.enum(WAITS).optional(),
    function: z.string().max(100_000).optional().describe('Body that returns true when ready'),
    polling: z.number().min(10).max(60_000).default(100),
    duration: z.number().min(0).max(3_600_000).optional().describe('ms, for timeout'),
    filename_contains: z.string().max(500).optional().describe('For download'),
    wait_for_complete: z.boolean().default(true).describe('For download'),
    timeout: timeout(30_000),
    ...on,
  },
  run: (tab, input, limits) => waitFor(tab, input, limits),
  text: data => `${data.met} (after ${data.ms} ms)${data.file?.path === undefined ? '' : `: ${data.file.path}`}`,
});
