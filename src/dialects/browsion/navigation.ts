// Navigation, tabs and frames, and waiting for what pages do.
import type { Sources } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { timeout, urlPattern } from './sources.ts';
import { ACTION, type BrowsionMapping, OK, PAGE, type Template } from './template.ts';

const tab = { id: 'targetId', url: 'url', title: 'title', type: () => 'page' } as const;
const inFrame = { ok: true, frame_id: 'frame.id', url: 'frame.url' } as const;

const waitFor = (event: string, template: Template, args: Sources = {}) => ({
  tool: 'wait',
  constants: { for: event },
  args: { ...args, ...timeout },
  template,
});

/** Frames as the list of tabs tells them. */
const framesIn = ({ frames }: Args): unknown[] =>
  (Array.isArray(frames) ? frames : []).map(({ id, url, name, parentId }) => ({
    id,
    url,
    name,
    parent_id: parentId ?? null,
  }));

export const navigation = {
  navigate: { tool: 'navigate', args: { url: 'url', wait_until: 'wait_until', ...timeout }, template: PAGE },
  go_back: { tool: 'back', template: PAGE },
  go_forward: { tool: 'forward', template: PAGE },
  reload: { tool: 'reload', template: PAGE },
  wait_for_navigation: waitFor('navigation', { url: 'page.url', title: 'page.title' }),
  get_current_url: { tool: 'url', template: { url: 'url' } },
  get_page_title: { tool: 'title', template: { title: 'title' } },
  wait_for_element: waitFor('selector', OK, { selector: 'selector', state: { value: 'attached' } }),
  wait_for_text: waitFor('text', OK, { text: 'text' }),
  wait_for_url: waitFor('url', { url: 'page.url' }, { url: urlPattern('pattern') }),
  wait: {
    cases: [
      {
        when: { profile_id: { is: 'given' } },
        tool: 'wait',
        constants: { for: 'timeout', timeout: 3_600_000 },
        args: { duration: 'duration_ms' },
      },
      { tool: 'pause', args: { duration: 'duration_ms' } },
    ],
    template: { ok: true, waited_ms: 'ms' },
  },
  list_tabs: { tool: 'tab_list', template: { each: 'tabs', item: { ...tab, active: 'active' } } },
  new_tab: { tool: 'tab_new', args: { url: { from: 'url', values: { 'about:blank': undefined } } }, template: tab },
  switch_tab: {
    tool: 'tab_switch',
    args: { target_id: 'target_id' },
    template: { ok: true, url: 'url', title: 'title' },
  },
  close_tab: { tool: 'tab_close', args: { target_id: 'target_id' }, template: OK },
  wait_for_new_tab: waitFor('new_tab', { target_id: 'tab.targetId', url: 'tab.url', title: 'tab.title' }),
  get_frames: { tool: 'tab_list', constants: { frames: true }, template: framesIn },
  switch_frame: { tool: 'tab_switch', args: { frame: 'frame_id' }, template: inFrame },
  main_frame: { tool: 'tab_switch', constants: { frame: '0' }, template: inFrame },
  handle_dialog: {
    tool: 'dialog',
    args: { action: 'action', prompt_text: 'prompt_text' },
    template: { ...Object(ACTION), answered: 'question' },
  },
} as const satisfies Record<string, BrowsionMapping>;
