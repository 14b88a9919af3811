// One or more uses of every tool, in an order that makes sense on one page after the other, and what each must lead to.

import type { Span } from '../../../src/bridge/cli/versions.ts';

export interface Step {
  tool: string;
  /** `page` stands for the url of that page of the test site. */
  args?: Record<string, unknown>;
  /** What its answer must hold. */
  sees?: RegExp;
  /** An expression in the page, and what it gives afterwards. */
  shows?: [script: string, is: unknown];
  /** Versions that cannot do it. */
  not?: Span;
}

const BEFORE_0_8: Span = { from: '0.0.0', before: '0.8.0' };

/** They find nothing but buttons by role. */
const NO_ROLES: Span = { from: '0.20.0', before: '0.32.4' };

const box = "document.querySelector('[name=terms]').checked";
const value = (id: string) => `document.getElementById('${id}').value`;

export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  elements: [
    { tool: 'open', args: { page: 'signup.html' }, sees: /Sign up/ },
    { tool: 'check', args: { target: '[name=terms]' }, shows: [box, true] },
    { tool: 'is', args: { state: 'checked', target: '[name=terms]' }, sees: /"checked":true/ },
    { tool: 'uncheck', args: { target: '[name=terms]' }, shows: [box, false] },
    { tool: 'is', args: { state: 'visible', target: '#name' }, sees: /"visible":true/ },
    { tool: 'is', args: { state: 'enabled', target: '#name' }, sees: /"enabled":true/ },
    { tool: 'select', args: { target: '#country', values: ['jp'] }, shows: [value('country'), 'jp'] },
    { tool: 'fill', args: { target: '#name', value: 'Ada' }, shows: [value('name'), 'Ada'] },
    { tool: 'type', args: { target: '#name', text: ' Lovelace' }, shows: [value('name'), 'Ada Lovelace'] },
    { tool: 'press', args: { key: 'Backspace' }, shows: [value('name'), 'Ada Lovelac'] },
    { tool: 'press', args: { key: 'Tab' }, shows: ['document.activeElement.id', 'email'] },
    {
      tool: 'find',
      args: { by: 'label', value: 'Email', action: 'fill', text: 'a@b.c' },
      shows: [value('email'), 'a@b.c'],
    },
    {
      tool: 'find',
      args: { by: 'role', value: 'checkbox', name: 'I accept the terms' },
      shows: [box, true],
      not: NO_ROLES,
    },
    { tool: 'find', args: { by: 'nth', index: 1, value: 'input', action: 'hover' } },
    {
      tool: 'find',
      args: { by: 'role', value: 'button', name: 'Sign up', action: 'hover' },
      shows: ["document.querySelector('button').matches(':hover')", true],
    },
    { tool: 'hover', args: { target: '#name' }, shows: ["document.getElementById('name').matches(':hover')", true] },
    { tool: 'hover', args: { target: 'button' }, shows: ["document.querySelector('button').matches(':hover')", true] },
  ],
  facts: [
    { tool: 'get', args: { what: 'text', target: 'h1' }, sees: /Create your account/ },
    { tool: 'get', args: { what: 'html', target: 'h1' }, sees: /Create your account/ },
    { tool: 'get', args: { what: 'value', target: '#email' }, sees: /a@b\.c/ },
    { tool: 'get', args: { what: 'attr', target: '#email', attribute: 'type' }, sees: /email/ },
    { tool: 'get', args: { what: 'count', target: 'option' }, sees: /5/ },
    { tool: 'get', args: { what: 'box', target: 'h1' }, sees: /width/ },
    { tool: 'get', args: { what: 'styles', target: 'h1' }, sees: /font/i },
    { tool: 'get', args: { what: 'title' }, sees: /Sign up/ },
    { tool: 'get', args: { what: 'url' }, sees: /signup\.html/ },
    { tool: 'wait', args: { target: 'h1' } },
    { tool: 'wait', args: { ms: 1 } },
    { tool: 'wait', args: { text: 'Create your account' } },
    { tool: 'wait', args: { url: '**/signup.html' } },
    { tool: 'wait', args: { load: 'load' } },
    { tool: 'wait', args: { fn: 'document.title === "Sign up"' } },
  ],
  'page and history': [
    { tool: 'session', args: { debug: true }, sees: /default/ },
    { tool: 'open', args: { page: 'article.html' } },
    {
      tool: 'scroll',
      args: { direction: 'down', amount: 200 },
      shows: ['scrollY > 0 || innerHeight >= document.body.scrollHeight', true],
    },
    { tool: 'back', shows: ['location.pathname', '/signup.html'] },
    { tool: 'forward', shows: ['location.pathname', '/article.html'] },
    { tool: 'eval', args: { script: 'self.kept = 1' } },
    { tool: 'reload', shows: ['typeof kept', 'undefined'] },
    { tool: 'snapshot', args: { interactive: false, compact: false, depth: 3 }, sees: /heading/ },
    { tool: 'snapshot', args: { selector: 'article' }, sees: /link/ },
    { tool: 'open', args: { page: 'console.html' } },
    { tool: 'console', sees: /loaded/ },
    { tool: 'console', args: { clear: true } },
  ],
  'storage and tabs': [
    { tool: 'storage', args: { action: 'set', key: 'k', value: 'v' }, shows: ["localStorage.getItem('k')", 'v'] },
    { tool: 'storage', args: { action: 'get', key: 'k' }, sees: /"v"/ },
    { tool: 'storage', args: { action: 'clear' }, shows: ['localStorage.length', 0] },
    { tool: 'cookies', args: { action: 'set', name: 'c', value: 'v' }, shows: ['document.cookie', 'c=v'] },
    { tool: 'cookies', sees: /"c"/ },
    {
      tool: 'cookies',
      args: { action: 'set', name: 'd', value: 'v', http_only: true, domain: '127.0.0.1', path: '/' },
      not: BEFORE_0_8,
    },
    { tool: 'cookies', sees: /"d"/, not: BEFORE_0_8 },
    { tool: 'cookies', args: { action: 'clear' }, shows: ['document.cookie', ''] },
    { tool: 'tab', args: { action: 'new' } },
    { tool: 'tab', sees: /console\.html/ },
    { tool: 'tab', args: { action: 'close' }, shows: ['location.pathname', '/console.html'] },
  ],
};
