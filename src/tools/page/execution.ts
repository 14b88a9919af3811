// Tools that run scripts.
import { z } from 'zod';
import { evaluate as evaluateScript, MOST_BYTES } from '../../engine/actions/evaluate.ts';
import { on, script, selector, timeout } from '../arguments.ts';
import { tool } from '../tool.ts';

export const evaluate = tool({
  name: 'evaluate',
  group: 'execution',
  core: true,
  summary: 'Run JavaScript in the page and get its value.',
  on: 'tab',
  effect: 'danger',
  time: 30_000,
  input: {
    expression: script.min(1).max(1_000_000).describe('Expression or function'),
    args: z.array(z.unknown()).max(100).optional().describe('For a function'),
    elements: z.array(selector).max(100).optional().describe('Elements for a function, before its args'),
    await_promise: z.boolean().default(true),
    return_by_value: z.boolean().default(true),
    timeout: timeout(30_000),
    max_output_size: z.int().min(1).max(10_000_000).optional().meta({ default: MOST_BYTES }).describe('Bytes'),
    sanitize: z.boolean().default(true).describe('Mask secrets'),
    ...on,
  },
  run: (tab, input, limits) => evaluateScript(tab, input, limits),
  text: data =>
    data.cutFrom === undefined ? data.text : `${data.text}\n… cut: ${data.cutFrom} bytes in all (give max_output_size)`,
});
