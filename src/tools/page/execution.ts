// Tools that run scripts.
import { z } from 'zod';
import { evaluate as evaluateScript } from '../../engine/actions/evaluate.ts';
import { about, int, on, place, rare, script, selector, timeout } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

export const evaluate = tool({
  core: true,
  summary: 'Run JavaScript in the page and get its value.',
  example: ['document.title'],
  effect: 'danger',
  time: 30_000,
  input: {
    expression: about(
      'A JavaScript expression, or a function that is called',
      script.min(1).max(1_000_000),
      'Expression or function',
    ),
    args: about('The arguments of the function', marked(z.array(z.unknown()), 'plain').max(100).optional()),
    elements: rare('Elements for a function, before its args', z.array(selector).max(100).optional()),
    await_promise: about('Wait for a promise, and give what it resolves to', on),
    return_by_value: about('Give the whole value; otherwise only what it is', on),
    timeout: timeout(30_000),
    max_output_size: about('Longest output, in bytes', int(1, 10_000_000).default(51_200), 'Bytes'),
    sanitize: about('Mask what looks like a secret', on),
    ...place,
  },
  run: (tab, input, limits) => evaluateScript(tab, input, limits),
  text: data =>
    data.cutFrom === undefined ? data.text : `${data.text}\n… cut: ${data.cutFrom} bytes in all (give max_output_size)`,
});
