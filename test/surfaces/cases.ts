// The one list of cases for every surface: which call, and what must come of it, whoever carries it.
import type { Code } from '../../src/errors.ts';

export interface Case {
  tool: string;
  /** What the caller sends; `ref` gives the ref of the first line of the last snapshot that holds the words. */
  args?: Record<string, unknown> | ((ref: (words: string) => string) => Record<string, unknown>);
  /** ok, or the code of the failure. */
  outcome: 'ok' | Code;
  text: RegExp;
  /** The whole text must be shorter than this. */
  within?: number;
  pictures?: number;
}

/** Stands for the address of the test site. */
export const SITE = '{site}';

const NAME = `Zoë O'Hara "漢字" 🙂 \\n $HOME %PATH% a=b`;

/** In order: each begins where the one before ended. */
export const CASES: readonly Case[] = [
  // The loop: open, look, act by ref, look again.
  { tool: 'navigate', args: { url: `${SITE}/signup.html` }, outcome: 'ok', text: /^Opened .*signup\.html "Sign up"/ },
  { tool: 'title', outcome: 'ok', text: /^Sign up$/ },
  { tool: 'snapshot', outcome: 'ok', text: /textbox "Full name" \[ref=@e\d+\]/ },
  {
    tool: 'fill',
    args: ref => ({ selector: ref('Full name'), value: NAME }),
    outcome: 'ok',
    text: /^Filled @e\d+ textbox "Full name"/,
  },
  {
    tool: 'evaluate',
    args: { expression: 'document.getElementById("name").value' },
    outcome: 'ok',
    text: new RegExp(`^${NAME.replace(/[\\$]/g, '\\$&')}$`),
  },
  { tool: 'fill', args: { selector: 'label:Email', value: 'zoe@example.com' }, outcome: 'ok', text: /^Filled/ },
  { tool: 'fill', args: { selector: '#password', value: '0123' }, outcome: 'ok', text: /^Filled/ },
  { tool: 'select', args: { selector: '#country', value: 'jp' }, outcome: 'ok', text: /Japan/ },
  { tool: 'check', args: { selector: 'label:I accept the terms' }, outcome: 'ok', text: /^Checked/ },
  { tool: 'snapshot', args: { mode: 'interactive' }, outcome: 'ok', text: /button "Sign up" \[ref=@e\d+\]/ },
  { tool: 'click', args: ref => ({ selector: ref('button "Sign up"') }), outcome: 'ok', text: /Welcome/ },
  { tool: 'click', args: ref => ({ selector: ref('button "Sign up"') }), outcome: 'stale_ref', text: /snapshot/i },
  {
    tool: 'evaluate',
    args: { expression: '({ name: document.getElementById("name").textContent, n: [1, 2.5, null, true] })' },
    outcome: 'ok',
    text: /漢字.*🙂/s,
  },
  { tool: 'back', outcome: 'ok', text: /signup\.html/ },
  { tool: 'wait', args: { for: 'text', text: 'Create your account' }, outcome: 'ok', text: /is visible/ },
  { tool: 'query', args: { by: 'role', value: 'button' }, outcome: 'ok', text: /^@e\d+ button "Sign up"/ },

  // What cannot be right as it was sent.
  { tool: 'clik', outcome: 'unknown_tool', text: /^There is no tool "clik"\.\nDid you mean click/ },
  { tool: 'browser_reload', outcome: 'unknown_tool', text: /reload/ },
  { tool: 'click', outcome: 'bad_input', text: /give either selector or coordinates, got none/ },
  { tool: 'fill', args: { selector: '#name' }, outcome: 'bad_input', text: /value is missing \(text\)/ },
  { tool: 'click', args: { selector: 5 }, outcome: 'bad_input', text: /selector must be text, got 5/ },
  {
    tool: 'navigate',
    args: { url: SITE, timout: 5 },
    outcome: 'bad_input',
    text: /unknown argument "timout" \(did you mean timeout\?\)/,
  },
  { tool: 'snapshot', args: { mode: 'quick' }, outcome: 'bad_input', text: /mode must be one of "full"/ },

  // What a target can be.
  { tool: 'click', args: { selector: '@e9999' }, outcome: 'stale_ref', text: /@e9999 was never given out/ },
  { tool: 'click', args: { selector: '#nothing', timeout: 1_000 }, outcome: 'not_found', text: /#nothing/ },
  {
    tool: 'click',
    args: { selector: 'role:textbox', timeout: 1_000 },
    outcome: 'ambiguous',
    text: /Full name[\s\S]*Email/,
  },
  { tool: 'snapshot', args: { frameId: 99 }, outcome: 'no_frame', text: /99/ },
  { tool: 'navigate', args: { url: `${SITE}/covered.html` }, outcome: 'ok', text: /Covered/ },
  {
    tool: 'click',
    args: { selector: '#under', timeout: 1_000 },
    outcome: 'not_actionable',
    text: /glass/,
  },
  { tool: 'navigate', args: { url: `${SITE}/refuses.html` }, outcome: 'ok', text: /refuse/ },
  { tool: 'fill', args: { selector: '#reset', value: 'mine', timeout: 1_000 }, outcome: 'not_taken', text: /fixed/ },

  // What the page, the rules and the clock can do.
  { tool: 'evaluate', args: { expression: 'throw new Error("böse")' }, outcome: 'script_error', text: /böse/ },
  {
    tool: 'wait',
    args: { for: 'text', text: 'never there', timeout: 300 },
    outcome: 'timeout',
    text: /"never there" did not come about/,
  },
  { tool: 'navigate', args: { url: 'file:///etc/hostname' }, outcome: 'refused', text: /file:/ },
  { tool: 'navigate', args: { url: 'http://127.0.0.1:9/' }, outcome: 'navigation_failed', text: /127\.0\.0\.1:9/ },
  { tool: 'snapshot', args: { save_path: '/etc/snapshot.txt' }, outcome: 'refused', text: /\/etc\/snapshot\.txt/ },
  { tool: 'snapshot', args: { save_path: 'folder/' }, outcome: 'file_error', text: /is not a file/ },

  // Long answers are cut, and say so.
  { tool: 'navigate', args: { url: `${SITE}/rows?n=600` }, outcome: 'ok', text: /600 rows/ },
  { tool: 'snapshot', outcome: 'ok', text: /"Field 1"[\s\S]*elements not shown/, within: 25_001 },
  { tool: 'snapshot', args: { max_chars: 1_000 }, outcome: 'ok', text: /elements not shown/, within: 1_001 },
  {
    tool: 'evaluate',
    args: { expression: '"x".repeat(60000)' },
    outcome: 'ok',
    text: /cut: 60000 bytes/,
    within: 51_300,
  },

  // Pictures.
  { tool: 'screenshot', outcome: 'ok', text: /^1280x720/, pictures: 1 },
  { tool: 'screenshot', args: { selector: 'h1', format: 'jpeg' }, outcome: 'ok', text: /^\d+x\d+/, pictures: 1 },
  { tool: 'screenshot', args: { save_path: 'page.png' }, outcome: 'ok', text: /^Saved 1280x720 to .*page\.png/ },

  // Dialogs block the page until they are answered.
  { tool: 'navigate', args: { url: `${SITE}/dialogs.html` }, outcome: 'ok', text: /Script dialogs/ },
  { tool: 'dialog', args: { action: 'accept' }, outcome: 'no_dialog', text: /dialog/ },
  { tool: 'click', args: { selector: '#prompt' }, outcome: 'ok', text: /Your name\?/ },
  { tool: 'snapshot', outcome: 'dialog_open', text: /Your name\?/ },
  { tool: 'dialog', args: { action: 'get_message' }, outcome: 'ok', text: /Your name\?/ },
  { tool: 'dialog', args: { action: 'accept', prompt_text: '二' }, outcome: 'ok', text: /ccepted/ },
  { tool: 'wait', args: { for: 'text', text: 'prompt: "二"' }, outcome: 'ok', text: /is visible/ },

  // Tabs.
  { tool: 'tab_new', args: { url: `${SITE}/cjk.html` }, outcome: 'ok', text: /tab \d+/ },
  { tool: 'tab_list', outcome: 'ok', text: /^- 1: .*dialogs\.html.*\n\* 2: .*cjk\.html/ },
  { tool: 'snapshot', outcome: 'ok', text: /[\u3040-\u30ff\u4e00-\u9fff]/ },
  { tool: 'tab_switch', args: { index: 0 }, outcome: 'ok', text: /^Tab 1 is active/ },
  { tool: 'title', outcome: 'ok', text: /^Script dialogs$/ },
  { tool: 'tab_switch', args: { tabId: 999 }, outcome: 'no_tab', text: /999/ },
  { tool: 'tab_close', args: { url: '**/cjk.html' }, outcome: 'ok', text: /Closed/ },
  { tool: 'tab_list', outcome: 'ok', text: /^[^\n]*dialogs\.html[^\n]*$/ },
];
