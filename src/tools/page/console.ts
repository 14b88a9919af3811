// The tool that reads the console of a page.
import { z } from 'zod';
import { counted } from '../../engine/amounts.ts';
import { ACTIONS, readConsole } from '../../engine/console/read.ts';
import { type ConsoleMessage, type ConsoleRead, LEVELS } from '../../engine/console/ring.ts';
import { onLine } from '../../policy/foreign-text.ts';
import { about, int, off, on, rare, someText, tabId } from '../arguments.ts';
import { tool } from '../tool.ts';

function line({ level, text, at, exception, stack, count }: ConsoleMessage): string {
  // Lines of a stack are set in, so they look like no message.
  const { index: end } = /(?:\n[ \t]+at [^\n]*)*$/.exec(text) as RegExpExecArray;
  const times = count > 1 ? ` ×${count}` : '';
  return `[${exception ? 'exception' : level}] ${onLine(text.slice(0, end))}${text.slice(end)}${at && ` (${at})`}${times}${stack === undefined ? '' : `\n${stack}`}`;
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
  summary: 'Read console messages and uncaught errors.',
  effect: 'read',
  despiteDialog: true,
  input: {
    action: about('A buffer holds what comes between start_buffer and stop_buffer', z.enum(ACTIONS).default('get')),
    level: about('Only messages of these levels', z.array(z.enum(LEVELS)).min(1).max(20).optional()),
    pattern: about('Only messages that this regular expression matches', someText(1_000).optional(), 'Regex'),
    include_exceptions: about('Also errors that nobody caught', on),
    max_messages: about('Only the latest of them', int(1, 1_000).default(100)),
    clear_after_read: about('Forget all messages then', off),
    max_chars: rare('Longest answer, in characters', int(1_000, 1_000_000).optional()),
    all_tabs: rare('Of all tabs of the session together, the latest 1000; they have a buffer of their own', off),
    since_navigation: rare('Only of the page that is shown now', off),
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
