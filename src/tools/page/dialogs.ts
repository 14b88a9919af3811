// The tool that answers dialogs of the page.
import { z } from 'zod';
import { handleDialog } from '../../engine/actions/handle-dialog.ts';
import { about, tabId, typedText } from '../arguments.ts';
import { caused } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const dialog = tool({
  core: true,
  summary: 'Answer a dialog (alert, confirm, prompt, beforeunload).',
  example: ['accept'],
  captioned: true,
  effect: 'write',
  free: true,
  despiteDialog: true,
  evenStuck: true,
  input: {
    action: about('get_message only reads it', z.enum(['accept', 'dismiss', 'get_message'])),
    prompt_text: about('The answer to a prompt', typedText(100_000).optional()),
    auto_handle: z
      .strictObject({
        enabled: z.boolean(),
        default_action: z.enum(['accept', 'dismiss']).optional(),
        prompt_default_text: typedText().optional(),
      })
      .optional()
      .meta({ docs: 'Answer later dialogs of this tab by itself' }),
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
