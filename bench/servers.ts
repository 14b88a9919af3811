// The servers under test: how each is started with its own defaults, and what an agent calls to do the same things with it.
import { join, resolve } from 'node:path';
import versions from './peers.json' with { type: 'json' };

export interface Call {
  tool: string;
  args: Record<string, unknown>;
}

export interface Launch {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface Place {
  /** The browser that all of them drive. */
  browser: string;
  /** The packages of the peers. */
  packages: string;
  /** A folder for what this process leaves behind. */
  folder: string;
  /** Chrome does not start as root with its sandbox. */
  sandbox: boolean;
}

export interface Field {
  ref: string;
  role: 'textbox' | 'combobox' | 'checkbox';
  name: string;
  value: string;
}

export interface Server {
  name: string;
  version: string;
  runtime: 'node' | 'native';
  launch(place: Place): Launch;
  /** The same over HTTP, where it has that. */
  serve?(place: Place, port: number): Launch;
  open(url: string): Call;
  /** The snapshot an agent gets when it asks for nothing special. */
  read: Call;
  /** The snapshot with all words of the page. */
  readWords?: Call;
  /** The snapshot with only what can be acted on. */
  readControls?: Call;
  /** Finds the ref in the line of an element. */
  ref: RegExp;
  click(ref: string): Call;
  fill(ref: string, value: string): Call;
  evaluate(expression: string): Call;
  screenshot: Call;
  /** Fills in a form as an agent would. */
  fillForm?(fields: Field[]): Call[];
  /** Ends what would outlive the server. */
  close?: Call;
}

const call = (tool: string, args: Record<string, unknown> = {}): Call => ({ tool, args });

/** Tabwright as it is built in a folder. */
const tabwright = (name: string, folder: string): Server => ({
  name,
  version: '',
  runtime: 'node',
  launch: place => ({
    command: process.execPath,
    args: [bundleIn(folder), '--executable-path', place.browser, '--state-dir', place.folder],
  }),
  serve: (place, port) => ({
    command: process.execPath,
    args: [
      bundleIn(folder),
      'serve',
      `--port=${port}`,
      '--no-auth',
      '--rate-limit=0',
      `--executable-path=${place.browser}`,
      `--state-dir=${place.folder}`,
    ],
  }),
  open: url => call('navigate', { url }),
  read: call('snapshot'),
  readWords: call('snapshot'),
  readControls: call('snapshot', { mode: 'interactive' }),
  ref: /\[ref=(@e\d+)\]/,
  click: selector => call('click', { selector }),
  fill: (selector, value) => call('fill', { selector, value }),
  evaluate: expression => call('evaluate', { expression }),
  screenshot: call('screenshot'),
  fillForm: fields =>
    fields.map(({ ref: selector, role, value }) => {
      if (role === 'checkbox') return call('check', { selector });
      if (role === 'combobox') return call('select', { selector, label: value });
      return call('fill', { selector, value });
    }),
});

const bundleIn = (folder: string): string => resolve(folder, 'dist/tabwright.js');

export const TABWRIGHT = tabwright('Tabwright', '.');

/** Another version of it, built in a folder of its own. */
export const versionBefore = (folder: string): Server => tabwright('before', folder);

/** Chrome itself: the fewest commands for each task, without the work of a tool. What it cannot do stays out of its column. */
export const RAW_CDP: Server = {
  name: 'raw CDP',
  version: '',
  runtime: 'node',
  launch: place => ({
    command: process.execPath,
    args: [resolve('bench/raw-cdp.js'), place.browser, place.folder, ...(place.sandbox ? [] : ['--no-sandbox'])],
  }),
  open: url => call('navigate', { url }),
  read: call('snapshot'),
  ref: /\[ref=(\d+)\]/,
  click: ref => call('click', { ref }),
  fill: (ref, value) => call('fill', { ref, value }),
  evaluate: expression => call('evaluate', { expression }),
  screenshot: call('screenshot'),
};

const playwright = (place: Place): Launch => ({
  command: process.execPath,
  args: [
    join(place.packages, '@playwright/mcp/cli.js'),
    '--headless',
    '--isolated',
    ...(place.sandbox ? [] : ['--no-sandbox']),
    `--executable-path=${place.browser}`,
    `--output-dir=${place.folder}`,
  ],
});

const PLAYWRIGHT: Server = {
  name: 'playwright-mcp',
  version: versions['@playwright/mcp'],
  runtime: 'node',
  launch: playwright,
  serve: (place, port) => {
    const { command, args } = playwright(place);
    return { command, args: [...args, `--port=${port}`] };
  },
  open: url => call('browser_navigate', { url }),
  read: call('browser_snapshot'),
  readWords: call('browser_snapshot'),
  ref: /\[ref=(\w+)\]/,
  click: target => call('browser_click', { target }),
  fill: (target, text) => call('browser_type', { target, text }),
  evaluate: expression => call('browser_evaluate', { function: `() => ${expression}` }),
  screenshot: call('browser_take_screenshot'),
  fillForm: fields => [
    call('browser_fill_form', {
      fields: fields.map(({ ref, role, name, value }) => ({ target: ref, type: role, name, value })),
    }),
  ],
};

// Every tool wants the id of a page; the first page of a browser has the id 1.
const pageId = 1;

const CHROME_DEVTOOLS: Server = {
  name: 'chrome-devtools-mcp',
  version: versions['chrome-devtools-mcp'],
  runtime: 'node',
  launch: place => ({
    command: process.execPath,
    args: [
      join(place.packages, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
      '--headless',
      '--isolated',
      '--viewport=1280x720',
      '--no-usage-statistics',
      `--executablePath=${place.browser}`,
      ...(place.sandbox ? [] : ['--chromeArg=--no-sandbox']),
    ],
  }),
  open: url => call('navigate_page', { pageId, url }),
  read: call('take_snapshot', { pageId }),
  readWords: call('take_snapshot', { pageId }),
  ref: /uid=(\w+)/,
  click: uid => call('click', { pageId, uid }),
  fill: (uid, value) => call('fill', { pageId, uid, value }),
  evaluate: expression => call('evaluate_script', { pageId, function: `() => ${expression}` }),
  screenshot: call('take_screenshot', { pageId }),
  fillForm: fields => [call('fill_form', { pageId, elements: fields.map(({ ref, value }) => ({ uid: ref, value })) })],
};

// Its window has bars of 87 pixels, so this is a page of 1280x720.
const WINDOW_SIZE = '--window-size=1280,807';

const AGENT_BROWSER: Server = {
  name: 'agent-browser',
  version: versions['agent-browser'],
  runtime: 'native',
  launch: place => ({
    command: join(place.packages, 'agent-browser/bin', agentBrowserFile()),
    args: ['mcp'],
    env: {
      AGENT_BROWSER_EXECUTABLE_PATH: place.browser,
      AGENT_BROWSER_ARGS: [WINDOW_SIZE, ...(place.sandbox ? [] : ['--no-sandbox'])].join('\n'),
      AGENT_BROWSER_SOCKET_DIR: place.folder,
      AGENT_BROWSER_SCREENSHOT_DIR: place.folder,
    },
  }),
  open: url => call('agent_browser_open', { url }),
  read: call('agent_browser_snapshot'),
  readWords: call('agent_browser_snapshot', { interactive: false }),
  readControls: call('agent_browser_snapshot'),
  ref: /\bref=(e\d+)\]/,
  click: ref => call('agent_browser_click', { selector: `@${ref}` }),
  fill: (ref, text) => call('agent_browser_fill', { selector: `@${ref}`, text }),
  evaluate: script => call('agent_browser_eval', { script }),
  screenshot: call('agent_browser_screenshot'),
  fillForm: fields =>
    fields.map(({ ref, role, value }) => {
      const selector = `@${ref}`;
      if (role === 'checkbox') return call('agent_browser_check', { selector });
      if (role === 'combobox') return call('agent_browser_select', { selector, values: [value] });
      return call('agent_browser_fill', { selector, text: value });
    }),
  close: call('agent_browser_close'),
};

/** The program itself: the script that npm links would add a Node process to it. */
export const agentBrowserFile = (): string =>
  `agent-browser-${process.platform}-${process.arch}${process.platform === 'win32' ? '.exe' : ''}`;

export const PEERS: readonly Server[] = [PLAYWRIGHT, CHROME_DEVTOOLS, AGENT_BROWSER];
