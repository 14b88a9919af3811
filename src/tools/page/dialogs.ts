// The tool that answers dialogs of the page.
import { z } from 'zod';
import { handleDialog } from '../../engine/actions/handle-dialog.ts';
import { tabId } from '../arguments.ts';
import { caused } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const dialog = tool({
  name: 'dialog',
  group: 'dialogs',
  core: true,
  summary: 'Answer a dialog (alert, confirm, prompt, beforeunload).',
  on: 'tab',
  effect: 'write',
  free: true,
  despiteDialog: true,
  evenStuck: true,
  time: 'action',
  input: {
    action: z.enum(['accept', 'dismiss', 'get_message']),
    prompt_text: z.string().max(100_000).optional(),
    auto_handle: z
      .strictObject({
        enabled: z.boolean(),
        default_action: z.enum(['accept', 'dismiss']).optional(),
        prompt_default_text: z.string().optional(),
      })
      .optional()
      .describe('Answer later ones by itself:'),
    tabId,
  },
  run: (tab, input, limits) => handleDialog(tab, input, limits),
  text: data => {
    const auto = data.auto === undefined ? '' : ` Later dialogs: ${data.auto}.`;
    if (!data.question) return `No dialog is open.${auto}`;
    const { type, message } = data.question;
    return `${data.answered ?? 'Open'}: ${type} ${JSON.stringify(message)}${caused(data)}.${auto}`;
  },
});
