// The tool that reads the console of a page.
import { z } from 'zod';
import { ACTIONS, readConsole } from '../../engine/console/read.ts';
import { type ConsoleMessage, type ConsoleRead, LEVELS } from '../../engine/console/ring.ts';
import { tabId } from '../arguments.ts';
import { counted } from '../effects-text.ts';
import { tool } from '../tool.ts';

function line({ level, text, at, exception, stack, count }: ConsoleMessage): string {
  const times = count > 1 ? ` ×${count}` : '';
  return `[${exception ? 'exception' : level}] ${text}${at && ` (${at})`}${times}${stack === undefined ? '' : `\n${stack}`}`;
}

function list({ messages, total, dropped }: ConsoleRead, none: string): string {
  if (total === 0) return none;
  const earlier = total - messages.length;
  const notes = [
    ...(earlier > 0 ? [`… ${earlier} earlier not shown (max_messages, or filter by level or pattern).`] : []),
    ...(dropped > 0 ? [`… ${counted(dropped, 'older message')} dropped: the console keeps the latest 1000.`] : []),
  ];
  return [...notes, ...messages.map(line)].join('\n');
}

export const console = tool({
  name: 'console',
  group: 'execution',
  summary: 'Read console messages and uncaught errors; a buffer holds those since its start.',
  on: 'tab',
  effect: 'read',
  despiteDialog: true,
  time: 'action',
  input: {
    action: z.enum(ACTIONS).default('get'),
    level: z.array(z.enum(LEVELS)).min(1).max(20).optional(),
    pattern: z.string().min(1).max(1_000).optional().describe('Regex'),
    include_exceptions: z.boolean().default(true),
    max_messages: z.int().min(1).max(1_000).default(100),
    clear_after_read: z.boolean().default(false),
    since_navigation: z.boolean().default(false).describe('Only of the page that is shown now'),
    tabId,
  },
  run: (tab, input, limits) => readConsole(tab, input, limits),
  text: (data, { action }) => {
    if (data.cleared !== undefined) return `Cleared ${counted(data.cleared, 'message')}.`;
    if (action === 'start_buffer') return 'Buffer started: get shows what comes from now on, until stop_buffer.';
    if (action === 'stop_buffer') return `Buffer stopped.\n${list(data, 'No messages since its start.')}`;
    return list(data, data.buffering ? 'No messages since the buffer was started.' : 'No messages.');
  },
});
