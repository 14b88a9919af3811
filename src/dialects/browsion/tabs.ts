// Tabs and frames.
import type { Args } from '../dialect.ts';
import { type BrowsionRow, DONE, ms, onPage, place, text } from './row.ts';

const target = { target_id: text('Tab, from list_tabs or wait_for_new_tab') };
const tab = { id: 'targetId', url: 'url', title: 'title', type: () => 'page' } as const;

/** Frames as the list of tabs tells them. */
const framesIn = ({ frames }: Args): unknown[] =>
  (Array.isArray(frames) ? frames : []).map(({ id, url, name, parentId }) => ({
    id,
    url,
    name,
    parent_id: parentId ?? null,
  }));

export const TABS: Readonly<Record<string, BrowsionRow>> = {
  list_tabs: onPage({
    category: 'Tabs',
    summary: 'List the open tabs.',
    at: 'GET tabs',
    cases: [{ to: 'tab_list' }],
    gives: { each: 'tabs', as: { ...tab, active: 'active' } },
  }),
  new_tab: onPage({
    category: 'Tabs',
    summary: 'Open a tab. Later calls mean it.',
    takes: { url: { type: 'string', default: 'about:blank', description: 'What to open in it' } },
    at: 'POST tabs/new',
    cases: [{ to: 'tab_new', args: { url: { from: 'url', values: { 'about:blank': undefined } } } }],
    gives: tab,
  }),
  switch_tab: onPage({
    category: 'Tabs',
    summary: 'Make a tab the one that later calls mean.',
    takes: target,
    required: ['target_id'],
    at: 'POST tabs/switch',
    cases: [{ to: 'tab_switch', args: { target_id: 'target_id' } }],
    gives: { ok: true, url: 'url', title: 'title' },
  }),
  close_tab: onPage({
    category: 'Tabs',
    summary: 'Close a tab.',
    takes: target,
    required: ['target_id'],
    at: 'POST tabs/close',
    cases: [{ to: 'tab_close', args: { target_id: 'target_id' } }],
    gives: { ok: true },
  }),
  wait_for_new_tab: onPage({
    category: 'Tabs',
    summary:
      'Wait for a tab that the page opens. Send it before or after the click that opens one; then use switch_tab.',
    takes: { timeout_ms: ms(10_000) },
    at: ['POST tabs/wait_new', 'POST wait_for_new_tab'],
    cases: [{ to: 'wait', set: { for: 'new_tab' }, args: { timeout: 'timeout_ms' } }],
    gives: { target_id: 'tab.targetId', url: 'tab.url', title: 'tab.title' },
  }),
  get_frames: onPage({
    category: 'Frames',
    summary: 'List the frames of the page.',
    at: 'GET frames',
    cases: [{ to: 'tab_list', set: { frames: true } }],
    gives: framesIn,
  }),
  switch_frame: onPage({
    category: 'Frames',
    summary: 'Make a frame the one that later calls in this tab mean, until another page is loaded.',
    takes: { frame_id: text('Frame, from get_frames') },
    required: ['frame_id'],
    at: ['POST switch_frame', 'POST frames/switch'],
    cases: [{ to: 'tab_switch', args: { frame: 'frame_id' } }],
    gives: { ok: true, frame_id: 'frame.id', url: 'frame.url' },
  }),
  main_frame: onPage({
    category: 'Frames',
    summary: 'Go back to the page itself, out of a frame.',
    at: ['POST main_frame', 'POST frames/main'],
    cases: [{ to: 'tab_switch', set: { frame: '0' } }],
    gives: { ok: true, frame_id: 'frame.id', url: 'frame.url' },
  }),
  handle_dialog: {
    ...onPage({
      category: 'Dialog',
      summary: 'Answer a dialog of the page (alert, confirm, prompt). It blocks all else until it is answered.',
      takes: {
        action: { type: 'string', enum: ['accept', 'dismiss'] },
        prompt_text: text('What to answer a prompt with'),
      },
      required: ['action'],
      at: 'POST handle_dialog',
      cases: [{ to: 'dialog', args: { action: 'action', prompt_text: 'prompt_text' } }],
      gives: { ...Object(DONE), answered: 'question' },
    }),
    at: [
      place('POST handle_dialog'),
      place('POST dialog', {
        action: ['action', { from: 'accept', values: { true: 'accept', false: 'dismiss' } }],
        prompt_text: 'prompt_text',
      }),
    ],
  },
};
