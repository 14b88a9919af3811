// Names that documents give to these tools although no server had them: taken, but not listed.
import type { DialectTool } from '../definition.ts';
import * as acting from './acting.ts';
import { element, onPage, text, uid } from './arguments.ts';
import * as looking from './looking.ts';
import * as pages from './pages.ts';
import { done, returned } from './words.ts';

const unlisted = (row: DialectTool): DialectTool => ({ ...row, unlisted: true });

export const loose: Readonly<Record<string, DialectTool>> = {
  get_console_logs: unlisted(looking.list_console_messages),
  clear_console: unlisted({ ...looking.list_console_messages, cases: [{ to: 'console', set: { action: 'clear' } }] }),
  set_device_metrics: unlisted(pages.resize_page),
  click_element: unlisted(acting.click),
  type_text: unlisted({
    summary: 'Add text to a field, or type it into what has the focus.',
    takes: { uid, text: text('What to type'), value: text('The same') },
    includes: ['content'],
    cases: [
      {
        when: { uid: { is: 'given' } },
        to: 'fill',
        set: { clear: false },
        args: { selector: element('uid'), value: ['text', 'value'], ...onPage },
      },
      { to: 'type', set: { delay: 0 }, args: { text: ['text', 'value'] } },
    ],
    says: done('Successfully typed the text'),
  }),
  get_network_logs: unlisted(looking.list_network_requests),
  get_page_content: unlisted(looking.take_snapshot),
  start_performance_trace: unlisted({
    ...looking.performance_start_trace,
    takes: {
      reload: { type: 'boolean', default: true },
      autoStop: { type: 'boolean', default: true },
    },
    required: [],
  }),
  execute_script: unlisted({
    ...looking.evaluate_script,
    takes: { ...looking.evaluate_script.takes, script: text('The same as function') },
    required: [],
    cases: [
      {
        to: 'evaluate',
        args: {
          expression: ['function', 'script'],
          elements: { each: 'args', item: element('uid') },
          tabId: { ...onPage.tabId, when: { args: { is: 'given' } } },
        },
      },
    ],
    says: returned,
  }),
  capture_snapshot: unlisted(looking.take_snapshot),
  screenshot: unlisted(looking.take_screenshot),
};
