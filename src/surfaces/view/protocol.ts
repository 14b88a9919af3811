// The wire protocol between the page at /view and the server: plain types for both sides. Export what you import; the rest is reached from there.
//
// Login: the address that `tabwright view` opens is /view/#code=CODE. The page sends POST /view/login with the header X-View-Code: CODE and takes
// the code out of its address. The answer is 204 with a cookie (HttpOnly, SameSite=Strict), or an ErrorBody. Without the cookie, every other address below
// answers 401 and the WebSocket is not opened: then the page says to run `tabwright view`. GET /view/login is 204 with a login, and DELETE ends it.
// A link to a session, for a person who is asked for help, is /view/#session=ID or /view/#session=ID&ask=ID: never with a code.
//
// Live: one WebSocket at /view/live. Text messages are JSON: ClientMessage to the server, ServerMessage to the page. Binary messages are
// pictures: a header (see FRAME) and a JPEG. The first message of the server is `hello`, the next is `overview`.
// `overview` is the whole state, sent whenever it changed (a few times a second at most). `calls` has the newest calls of the session that is
// followed at first, then each call when it begins and again, with the same id, when it has ended: keep them by id. After the socket
// broke, connect again and send `follow` with the id of the latest call.
// A message with an `id` is answered by `done` or `error` with the same id. One without is answered only by an `error`.
// Texts, titles and urls come from web pages: show them as text, never as markup.
//
// Pictures: `watch` begins, `unwatch` ends. The watcher chooses the number `watch`; the binary header repeats it. Send `drawn` for
// each picture as soon as it is drawn: the next one comes after that, and it is the newest; those between are left out. A page that does not
// change sends nothing: keep the last picture. Nothing of it changes the page's size, focus or front tab.
//
// Step in: `take` gives a lease; its id comes with `done` as { lease }, and is sent along with input. Send `beat` every
// 5 s; without it the lease ends after 15 s. Coordinates are CSS pixels of the picture: x from 0 to its width in the header.
// What the picture does not show (lists, date fields, dialogs, file choosers) comes as `controls` of a tab that is watched at full size, to be
// drawn and answered. Input goes to such tabs only.

/** The binary header, little-endian, in front of the JPEG. */
export const FRAME = {
  /** u32: the number that the watcher chose. */
  watch: 0,
  /** u32: which picture of this watch; sent back with `drawn`. */
  frame: 4,
  /** f64: when the page was drawn, in ms since 1970. */
  time: 8,
  /** u16 each: the size of what the picture shows, in CSS pixels. */
  width: 16,
  height: 18,
  /** Where the JPEG begins. */
  jpeg: 20,
} as const;

/** What the person may do: see pictures and calls; act on pages and close sessions; answer approvals; everything of every caller. */
export type ViewRight = 'watch' | 'act' | 'approve' | 'admin';

/** The body of every refusal below /view. `rule` says which check refused it: token, origin, host, path, … */
export interface ErrorBody {
  error: { rule: string; message: string };
}

// ---- from the page ----

export type ClientMessage = { id?: number } & (
  | { type: 'follow'; session: string; after?: number }
  /** Ends `calls`. */
  | { type: 'unfollow' }
  | { type: 'watch'; watch: number; session: string; tab: number; size: PictureSize }
  | { type: 'unwatch'; watch: number }
  | { type: 'drawn'; watch: number; frame: number }
  /** Answered by `snapshot`. */
  | { type: 'look'; session: string; tab: number }
  | { type: 'take'; session: string }
  | { type: 'beat' | 'handBack'; session: string; lease: string }
  | { type: 'input'; session: string; tab: number; lease: string; input: PersonInput }
  | { type: 'answer'; session: string; tab: number; lease: string; control: string; value: ControlValue }
  /** Tells the browser what the site of this tab may do; Chrome shows no prompt of its own here. */
  | { type: 'permit'; session: string; tab: number; lease: string; permission: PagePermission; allow: boolean }
  | { type: 'approve'; approval: string; answer: 'once' | 'session' | 'refuse' }
  | { type: 'help'; ask: string; answer: 'done' | 'declined' }
  | { type: 'close'; session: string }
);

/** thumb: at most 640 x 360 and one or two a second; full: at most 1280 wide, at the pace of the page. */
export type PictureSize = 'thumb' | 'full';

/** Bits as in CDP: Alt 1, Control 2, Meta 4, Shift 8. `buttons` are those of a MouseEvent. */
export type PersonInput =
  | {
      kind: 'mouse';
      action: 'move' | 'down' | 'up';
      x: number;
      y: number;
      button: 'none' | 'left' | 'middle' | 'right';
      buttons: number;
      /** 2 for the second press of a double click. */
      clicks: number;
      modifiers: number;
    }
  | { kind: 'wheel'; x: number; y: number; dx: number; dy: number; modifiers: number }
  /** `key`, `code`, `location` and `keyCode` of a KeyboardEvent; text that no single key makes is sent as `text`. */
  | {
      kind: 'key';
      action: 'down' | 'up';
      key: string;
      code: string;
      keyCode: number;
      location: number;
      repeat: boolean;
      modifiers: number;
    }
  /** Inserted as it is: what was pasted, or the end of a composition. */
  | { kind: 'text'; text: string }
  /** The text that an input method shows while it composes; '' gives it up. */
  | { kind: 'compose'; text: string }
  | { kind: 'touch'; action: 'start' | 'move' | 'end' | 'cancel'; points: { id: number; x: number; y: number }[] }
  | { kind: 'history'; to: 'back' | 'forward' | 'reload' }
  /** Lets go of every key and button that is held: send it when the picture loses the focus. */
  | { kind: 'release' };

export type PagePermission = 'geolocation' | 'notifications' | 'camera' | 'microphone' | 'clipboard-read';

/** select: indices of options; date: the new value; dialog: accept or not, with text for a prompt; file: ids of POST /view/api/files. */
export type ControlValue =
  | { kind: 'select'; options: number[] }
  | { kind: 'date'; value: string }
  | { kind: 'dialog'; accept: boolean; text?: string }
  | { kind: 'file'; files: string[] };

// ---- from the server ----

/** `seq` counts the messages of this socket from 1. */
export type ServerMessage = { seq: number } & ServerEvent;

export type ServerEvent =
  | { type: 'hello'; version: string; caller: string; rights: ViewRight[] }
  | ({ type: 'overview' } & Overview)
  | { type: 'calls'; session: string; calls: TimelineCall[]; more: boolean }
  | ({ type: 'snapshot'; id?: number } & ViewedSnapshot)
  /** All that are open in the tab; an empty list takes them away. */
  | { type: 'controls'; session: string; tab: number; controls: Control[] }
  /** The tab of this watch is gone, or cannot be pictured now; `why` is for people. */
  | { type: 'noPicture'; watch: number; why: string }
  | { type: 'done'; id: number; value?: { lease: string } }
  | { type: 'error'; id?: number; code: string; message: string; hint?: string };

/** What the person may see, newest activity first. */
export interface Overview {
  sessions: SessionCard[];
  approvals: WaitingApproval[];
  asks: WaitingAsk[];
}

export interface SessionCard {
  /** For messages and addresses. */
  id: string;
  /** For people; not unique. */
  name: string;
  /** Who made it. */
  caller: string;
  /** The profile whose browser it is. */
  profile?: string;
  shared: boolean;
  /** Whether the person may act in it. */
  mayAct: boolean;
  tabs: { id: number; title: string; url: string; active: boolean }[];
  /** What runs now, longest first. */
  running: RunningCall[];
  /** Times in ms since 1970. */
  since: number;
  lastActivity: number;
  /** Calls so far, and those that failed. */
  calls: number;
  failures: number;
  /** The last call failed with this. */
  lastError?: { code: string; message: string };
  lease?: LeaseState;
}

interface RunningCall {
  call: number;
  tool: string;
  target: string;
  since: number;
}

interface LeaseState {
  /** Who has stepped in, and whether it is this page. */
  holder: string;
  mine: boolean;
  since: number;
}

export interface TimelineCall {
  /** Grows; unique on the server. */
  id: number;
  session: string;
  tab?: number;
  caller: string;
  tool: string;
  /** What it acts on, in words; typed text is masked. */
  target: string;
  /** Masked as in the journal. */
  args: unknown;
  began: number;
  state: 'running' | 'ok' | 'failed';
  ms?: number;
  /** The answer, with the receipt; cut when it is long. */
  text?: string;
  failure?: { code: string; message: string; hint?: string };
  /** Where the page was afterwards. */
  url?: string;
  /** GET /view/api/pictures/ID. There are pictures only of calls that somebody watched, and only of the latest. */
  before?: string;
  after?: string;
}

export interface ViewedSnapshot {
  session: string;
  tab: number;
  /** The latest that the agent was given of this tab, and when; '' when it has had none. */
  text: string;
  time: number;
  /** The lines with an element that is on the page now; line counts from 0. `box` is in CSS pixels of the picture. */
  elements: { line: number; ref: string; box: Box }[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Control = { id: string } & (
  | {
      kind: 'select';
      box: Box;
      label: string;
      multiple: boolean;
      options: { label: string; group?: string; selected: boolean; disabled: boolean }[];
    }
  | {
      kind: 'date';
      box: Box;
      label: string;
      input: 'date' | 'time' | 'datetime-local' | 'month' | 'week' | 'color';
      value: string;
      min: string;
      max: string;
      step: string;
    }
  | { kind: 'dialog'; dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload'; message: string; text: string }
  | { kind: 'file'; label: string; multiple: boolean; accept: string }
);

export interface WaitingApproval {
  id: string;
  session?: string;
  tab?: number;
  caller: string;
  tool: string;
  args: unknown;
  url?: string;
  rule: string;
  /** The question as it is put to other clients, in several lines. */
  question: string;
  asked: number;
  until: number;
  picture?: string;
  /** Whether this person may answer it. */
  mayAnswer: boolean;
}

export interface WaitingAsk {
  id: string;
  session: string;
  caller: string;
  reason: string;
  asked: number;
  until: number;
}

// ---- REST, with the cookie; refusals are an ErrorBody ----

/** What is answered below /view/api; JSON where no type is said. `admin`: needs that right. */
export interface ViewApi {
  /** With ?before=CALL for older ones, and ?failed=1. */
  'GET sessions/ID/calls': CallsPage;
  'GET sessions/ID/exports': ExportRow[];
  /** image/jpeg. */
  'GET pictures/ID': Blob;
  /** The body is the file, at most 20 MB; with ?name=NAME. */
  'POST files': UploadedFile;
  /** admin */
  'GET server': ServerFacts;
  /** admin; takes some seconds. */
  'GET doctor': DoctorRow[];
  /** admin; the body is a NewToken. */
  'POST tokens': { body: NewToken; answer: MadeToken };
  /** admin */
  'POST tokens/ID/rotate': MadeToken;
  /** admin; 204. */
  'DELETE tokens/ID': undefined;
}

export interface CallsPage {
  /** Oldest first. */
  calls: TimelineCall[];
  /** There are older ones. */
  more: boolean;
}

export interface ExportRow {
  name: string;
  /** What it is, for people. */
  what: string;
  href: string;
}

export interface UploadedFile {
  id: string;
}

export interface ServerFacts {
  version: string;
  since: number;
  /** The file and its rules in words, in force order; none without a policy file. */
  policy?: { file: string; rules: { name: string; decision: 'allow' | 'ask' | 'deny'; about: string }[] };
  urlRules: { allow: string[]; block: string[]; blockPrivate: boolean };
  limits: { name: string; value: string }[];
  counters: { name: string; value: number }[];
  /** In whose file tokens are kept; the owner's own token is not among them. */
  tokensFile: string;
  tokens: TokenRow[];
}

export interface TokenRow {
  id: string;
  may?: string[];
  tools?: string[];
  expires?: number;
}

export interface NewToken {
  id: string;
  may?: string[];
  expires?: string;
}

/** The token is shown this once. */
export interface MadeToken {
  id: string;
  token: string;
}

export interface DoctorRow {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
  hint?: string;
}
