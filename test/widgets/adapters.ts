// What an agent calls at each server to do the steps of a job; the rest is in bench/servers.ts.
import { type Call, type Launch, PEERS, type Place, type Server, TABWRIGHT } from '../../bench/servers.ts';

export type Side = 'onto' | 'before' | 'after';

export interface Adapter {
  server: Server;
  dblclick(ref: string): Call;
  rightclick?(ref: string): Call;
  hover(ref: string): Call;
  /** Into what has the focus. */
  type(text: string): Call[];
  press(key: string): Call;
  drag(from: string, to: string, side: Side): Call;
  select(ref: string, option: string): Call;
  /** Of what is no native list, `select` only types the text: the option that comes up is still to be clicked. */
  selectTypes?: boolean;
  scroll(ref: string): Call[];
}

const call = (tool: string, args: Record<string, unknown>): Call => ({ tool, args });
const peer = (name: string): Server => PEERS.find(server => server.name === name)!;

const tabwright: Adapter = {
  server: TABWRIGHT,
  dblclick: selector => call('dblclick', { selector }),
  rightclick: selector => call('click', { selector, button: 'right' }),
  hover: selector => call('hover', { selector }),
  type: text => [call('type', { text, delay: 0 })],
  press: key => call('press', { key }),
  drag: (source, target, position) => call('drag', { source, target, position }),
  select: (selector, label) => call('select', { selector, label }),
  scroll: selector => [call('scroll', { selector, direction: 'down' })],
};

const playwright: Adapter = {
  server: peer('playwright-mcp'),
  dblclick: target => call('browser_click', { target, doubleClick: true }),
  rightclick: target => call('browser_click', { target, button: 'right' }),
  hover: target => call('browser_hover', { target }),
  type: text => [...text].map(key => call('browser_press_key', { key })),
  press: key => call('browser_press_key', { key }),
  drag: (startTarget, endTarget) => call('browser_drag', { startTarget, endTarget }),
  select: (target, option) => call('browser_select_option', { target, values: [option] }),
  scroll: target => [call('browser_click', { target }), call('browser_press_key', { key: 'PageDown' })],
};

const pageId = 1;

const chromeDevtools: Adapter = {
  server: peer('chrome-devtools-mcp'),
  dblclick: uid => call('click', { pageId, uid, dblClick: true }),
  hover: uid => call('hover', { pageId, uid }),
  type: text => [call('type_text', { pageId, text })],
  press: key => call('press_key', { pageId, key }),
  drag: (from_uid, to_uid) => call('drag', { pageId, from_uid, to_uid }),
  select: (uid, value) => call('fill', { pageId, uid, value }),
  selectTypes: true,
  scroll: uid => [call('click', { pageId, uid }), call('press_key', { pageId, key: 'PageDown' })],
};

const allTools = (launch: Launch): Launch => ({ ...launch, args: [...launch.args, '--tools', 'all'] });
const agentBrowserServer = peer('agent-browser');

const agentBrowser: Adapter = {
  // Its default list has no double click, hover or drag.
  server: { ...agentBrowserServer, launch: (place: Place) => allTools(agentBrowserServer.launch(place)) },
  dblclick: ref => call('agent_browser_dblclick', { selector: `@${ref}` }),
  hover: ref => call('agent_browser_hover', { selector: `@${ref}` }),
  type: text => [call('agent_browser_keyboard_type', { text })],
  press: key => call('agent_browser_press', { key }),
  drag: (source, target) => call('agent_browser_drag', { source: `@${source}`, target: `@${target}` }),
  select: (ref, option) => call('agent_browser_select', { selector: `@${ref}`, values: [option] }),
  scroll: ref => [call('agent_browser_scroll', { direction: 'down', amount: 400, selector: `@${ref}` })],
};

export const ADAPTER = tabwright;
export const PEER_ADAPTERS: readonly Adapter[] = [playwright, chromeDevtools, agentBrowser];
