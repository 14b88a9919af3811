// Which commands and flags may be passed on, and which of their words name urls and files. All of it is data.

/** Root commands that act on pages and read from them. */
export const ALLOWED_ROOT_COMMANDS: readonly string[] = [
  ...['open', 'goto', 'navigate', 'back', 'forward', 'reload', 'close', 'quit', 'exit', 'connect', 'pushstate'],
  ...['snapshot', 'read', 'get', 'is', 'find', 'diff', 'screenshot', 'pdf', 'a11y', 'vitals', 'webmcp'],
  ...['click', 'dblclick', 'hover', 'focus', 'fill', 'type', 'press', 'key', 'keydown', 'keyup', 'keyboard'],
  ...['clipboard', 'check', 'uncheck', 'select', 'drag', 'upload', 'download', 'mouse', 'tap', 'swipe'],
  ...['scroll', 'scrollintoview', 'scrollinto', 'wait', 'eval', 'frame', 'dialog', 'tab', 'window', 'set'],
  ...['network', 'cookies', 'storage', 'state', 'console', 'errors', 'highlight', 'trace', 'profiler', 'record'],
  ...['session', 'profiles', 'skills', 'batch'],
];

/** Root commands that change the machine, the rules of agent-browser or the network: only when the operator names them. */
export const OPTIONAL_ROOT_COMMANDS: readonly string[] = [
  ...['install', 'upgrade', 'doctor', 'plugin', 'plugins', 'dashboard', 'chat', 'auth', 'device', 'stream', 'inspect'],
  ...['confirm', 'deny', 'react', 'addinitscript', 'removeinitscript'],
];

/** Of these, only some: the others change or delete what other sessions keep. */
export const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  state: ['save', 'load', 'list'],
};

/** Flags that may stand among the words; true when a value follows. All others could change the machine or the rules. */
export const FLAGS: Readonly<Record<string, boolean>> = {
  ...{ '-i': false, '--interactive': false, '-c': false, '--compact': false, '-u': false, '--urls': false },
  ...{ '-d': true, '--depth': true, '-s': true, '--selector': true, '--delta': false, '--full': false, '-f': false },
  ...{ '--annotate': false, '--if-changed': false, '--threshold': true, '--new-tab': false, '--human': false },
  ...{ '--name': true, '--exact': false, '--text': true, '--url': true, '--load': true, '--fn': true },
  ...{ '--timeout': true, '--headers': true, '--label': true, '--clear': false, '--filter': true, '--all': false },
  ...{ '--abort': false, '--body': true, '--resource-type': true, '--allow-origin': true, '--tags': true },
  ...{ '--domain': true, '--path': true, '--httpOnly': false, '--secure': false, '--sameSite': true },
  ...{ '--expires': true, '--bail': false, '--omit-command': false, '--frame': true, '--detach': false },
  ...{ '--scope': true, '--prefix': true, '-b': false, '--base64': false, '--baseline': true, '--output': true },
};

/** Flags with an argument of the tool that does the same. */
export const TYPED_FLAGS: Readonly<Record<string, string>> = {
  '--session': 'session',
  '--cdp': 'cdp_port',
  '--headed': 'headed',
  '--debug': 'debug',
  '--executable-path': 'executable_path',
  '--json': 'json',
};

export type WordKind = 'url' | 'read' | 'write';

/** Words that name a url or a file, by command or command and subcommand; the index counts from the command, without flags. */
export const WORD_KINDS: Readonly<Record<string, Readonly<Record<number, WordKind>>>> = {
  open: { 1: 'url' },
  goto: { 1: 'url' },
  navigate: { 1: 'url' },
  read: { 1: 'url' },
  a11y: { 1: 'url' },
  vitals: { 1: 'url' },
  'tab new': { 2: 'url' },
  'window new': { 2: 'url' },
  'diff url': { 2: 'url', 3: 'url' },
  pdf: { 1: 'write' },
  download: { 2: 'write' },
  'state save': { 2: 'write' },
  'state load': { 2: 'read' },
  'trace stop': { 2: 'write' },
  'profiler stop': { 2: 'write' },
  'record start': { 2: 'write', 3: 'url' },
  'record restart': { 2: 'write', 3: 'url' },
  'network har': { 3: 'write' },
};

/** Every word from here on. */
export const REST_KINDS: Readonly<Record<string, { from: number; kind: WordKind }>> = {
  upload: { from: 2, kind: 'read' },
};

/** Flags whose value is a file. */
export const FILE_FLAGS: Readonly<Record<string, WordKind>> = { '--baseline': 'read', '--output': 'write' };
