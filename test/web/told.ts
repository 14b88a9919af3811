// What a server could tell the page: sessions in every state, calls, approvals, requests for help. For views that a test cannot bring about at will.
import type { Page, WebSocketRoute } from 'playwright-core';
import {
  type ClientMessage,
  type DoctorRow,
  type ExportRow,
  FRAME,
  type Overview,
  type ServerEvent,
  type ServerFacts,
  type SessionCard,
  type TimelineCall,
  type ViewedSnapshot,
} from '../../src/surfaces/view/protocol.ts';

const MINUTE = 60_000;

const card = (id: string, more: Partial<SessionCard>): SessionCard => ({
  id,
  name: id,
  caller: 'research',
  shared: false,
  mayAct: true,
  tabs: [],
  running: [],
  since: Date.now() - 14 * MINUTE,
  lastActivity: Date.now() - 2 * MINUTE,
  calls: 0,
  failures: 0,
  ...more,
});

export function overviewTold(): Overview {
  const now = Date.now();
  return {
    sessions: [
      card('booking', {
        caller: 'travel-agent',
        tabs: [
          { id: 1, title: 'Sign in · Northwind Rail', url: 'https://rail.example/sign-in', active: true },
          { id: 2, title: 'Timetable', url: 'https://rail.example/timetable', active: false },
          { id: 3, title: 'Fares and conditions', url: 'https://rail.example/fares', active: false },
        ],
        calls: 42,
        failures: 3,
      }),
      card('prices', {
        tabs: [
          { id: 4, title: 'Laptops: compare prices', url: 'https://shop.example/laptops?sort=price', active: true },
        ],
        running: [{ call: 77, tool: 'click', target: 'button "Next page"', since: now - 1_400 }],
        calls: 118,
        lastActivity: now,
      }),
      card('invoices', {
        caller: 'office',
        profile: 'work',
        tabs: [{ id: 5, title: 'Invoices 2026', url: 'https://books.example/invoices', active: true }],
        calls: 9,
        failures: 1,
        lastError: {
          code: 'not_found',
          message: 'No element matches text:Download all. The page has "Download PDF" and "Download CSV".',
        },
      }),
      card('<b>hostile</b>', {
        caller: 'tests',
        shared: true,
        tabs: [{ id: 6, title: '<img src=x onerror=alert(1)>', url: 'https://evil.example/', active: true }],
        calls: 1,
      }),
    ],
    approvals: [
      {
        id: 'a1',
        session: 'invoices',
        tab: 5,
        caller: 'office',
        tool: 'upload',
        args: { target: 'button "Attach receipt"', files: ['receipt-1184.pdf'] },
        url: 'https://books.example/invoices/1184',
        rule: 'uploads-need-a-person',
        question: 'May office give the file receipt-1184.pdf to books.example?',
        asked: now - 20_000,
        until: now + 95_000,
        mayAnswer: true,
      },
    ],
    asks: [
      {
        id: 'h1',
        session: 'booking',
        caller: 'travel-agent',
        reason: 'Please sign in to Northwind Rail. The page asks for a code that was sent to your phone.',
        asked: now - 40_000,
        until: now + 4 * MINUTE,
      },
    ],
  };
}

export function callsTold(session: string): TimelineCall[] {
  const now = Date.now();
  const call = (id: number, tool: string, target: string, more: Partial<TimelineCall> = {}): TimelineCall => ({
    id,
    session,
    tab: 1,
    caller: 'travel-agent',
    tool,
    target,
    args: target ? { target } : {},
    began: now - (100 - id) * 9_000,
    state: 'ok',
    ms: 40 + ((id * 97) % 600),
    url: 'https://rail.example/sign-in',
    ...more,
  });
  return [
    call(90, 'navigate', 'https://rail.example/', { ms: 812, before: 'p1', after: 'p2' }),
    call(91, 'snapshot', '', { text: '- heading "Northwind Rail" [level=1]\n- link "Sign in" [ref=@e3]' }),
    call(92, 'click', 'link "Sign in"', {
      text: 'Clicked link "Sign in".\nThe page is now https://rail.example/sign-in\nNew: textbox "Email" @e8, textbox "Password" @e9, button "Sign in" @e10',
      before: 'p2',
      after: 'p3',
    }),
    call(93, 'fill', 'textbox "Email"', { args: { target: '@e8', value: '••••••' }, text: 'Filled textbox "Email".' }),
    call(94, 'click', 'button "Continue"', {
      state: 'failed',
      ms: 5_004,
      failure: {
        code: 'not_found',
        message: 'No element matches role:button[name="Continue"].',
        hint: 'The page has button "Sign in" @e10. Take a new snapshot, then use its ref.',
      },
      before: 'p3',
      after: 'p3',
    }),
    call(95, 'ask_person', 'sign in', { state: 'running', began: now - 40_000 }),
  ];
}

const SNAPSHOT: Omit<ViewedSnapshot, 'session' | 'tab'> = {
  text: [
    '- heading "Sign in" [level=1]',
    '- form "Sign in":',
    '  - textbox "Email" [ref=@e8]',
    '  - textbox "Password" [ref=@e9]',
    '  - combobox "Language" [ref=@e11]: English',
    '  - button "Sign in" [ref=@e10]',
    '- link "Forgot your password?" [ref=@e12]',
  ].join('\n'),
  time: Date.now() - 12_000,
  elements: [
    { line: 2, ref: '@e8', box: { x: 410, y: 218, width: 460, height: 40 } },
    { line: 3, ref: '@e9', box: { x: 410, y: 298, width: 460, height: 40 } },
    { line: 5, ref: '@e10', box: { x: 410, y: 438, width: 460, height: 44 } },
  ],
};

const EXPORTS: ExportRow[] = [
  { name: 'booking.ts', what: 'A Playwright test that does the same again', href: 'api/sessions/booking/exports/ts' },
  { name: 'booking.zip', what: 'A trace for the Playwright trace viewer', href: 'api/sessions/booking/exports/trace' },
];

const SERVER: ServerFacts = {
  version: '0.1.0',
  since: Date.now() - 190 * MINUTE,
  policy: {
    file: '/etc/tabwright/policy.yaml',
    rules: [
      { name: 'reads-everywhere', decision: 'allow', about: 'tools that only read, on every page' },
      { name: 'uploads-need-a-person', decision: 'ask', about: 'upload, on every page' },
      { name: 'no-bank', decision: 'deny', about: 'every tool on *.bank.example' },
    ],
  },
  urlRules: { allow: [], block: ['*.bank.example'], blockPrivate: true },
  limits: [
    { name: 'Sessions', value: '20' },
    { name: 'Tabs of a session', value: '30' },
    { name: 'Idle end', value: '30 min' },
  ],
  counters: [
    { name: 'Calls', value: 4_812 },
    { name: 'Failures', value: 97 },
    { name: 'Sessions opened', value: 61 },
  ],
  tokensFile: '/home/ann/.config/tabwright/tokens.json',
  tokens: [
    { id: 'office', may: ['read', 'act'], expires: Date.now() + 30 * 24 * 60 * MINUTE },
    { id: 'research', may: ['read'] },
  ],
};

const CHECKS: DoctorRow[] = [
  { name: 'browser', state: 'ok', message: 'Chromium 158 starts in 210 ms.' },
  { name: 'fonts', state: 'warning', message: 'No font for Chinese.', hint: 'Install fonts-noto-cjk.' },
];

/** Answers in place of a server; `tell` sends more, `sent` is what the page said. */
export interface Told {
  sent: ClientMessage[];
  tell(event: ServerEvent): void;
  breakLink(): Promise<void>;
}

export type Jpegs = (session: string, tab: number) => { jpeg: Buffer; width: number; height: number };

export async function tellPage(page: Page, overview: Overview, jpegs: Jpegs): Promise<Told> {
  const sent: ClientMessage[] = [];
  let socket: WebSocketRoute | undefined;
  let seq = 0;
  const tell = (event: ServerEvent) => socket?.send(JSON.stringify({ ...event, seq: ++seq }));
  const taken = new Map<string, SessionCard['lease']>();
  const tellOverview = () =>
    tell({
      type: 'overview',
      ...overview,
      sessions: overview.sessions.map(one => ({ ...one, ...(taken.has(one.id) && { lease: taken.get(one.id)! }) })),
    });
  const answers: { [T in ClientMessage['type']]?: (message: Extract<ClientMessage, { type: T }>) => void } = {
    follow: ({ session }) => tell({ type: 'calls', session, calls: callsTold(session), more: true }),
    watch: ({ watch, session, tab }) => socket?.send(frameOf(watch, jpegs(session, tab))),
    look: ({ id, session, tab }) =>
      tell({ type: 'snapshot', ...(id !== undefined && { id }), session, tab, ...SNAPSHOT }),
    take: ({ id, session }) => {
      taken.set(session, { holder: 'ann', mine: true, since: Date.now() });
      tell({ type: 'done', id: id ?? 0, value: { lease: 'L1' } });
      tellOverview();
    },
    handBack: ({ id, session }) => {
      taken.delete(session);
      tell({ type: 'done', id: id ?? 0 });
      tellOverview();
    },
  };
  await page.routeWebSocket(/\/view\/live$/, opened => {
    socket = opened;
    opened.onMessage(text => {
      const message = JSON.parse(String(text)) as ClientMessage;
      sent.push(message);
      const answer = answers[message.type] as ((one: ClientMessage) => void) | undefined;
      if (answer) answer(message);
      else if (message.id !== undefined) tell({ type: 'done', id: message.id });
    });
    tell({ type: 'hello', version: '0.1.0', caller: 'ann', rights: ['watch', 'act', 'approve', 'admin'] });
    tellOverview();
  });
  const json = (path: RegExp, body: unknown) => page.route(path, route => route.fulfill({ json: body }));
  await json(/api\/sessions\/[^/]+\/exports$/, EXPORTS);
  await json(/api\/server$/, SERVER);
  await json(/api\/doctor$/, CHECKS);
  await json(/api\/tokens(\/[^/]+\/rotate)?$/, { id: 'research', token: 'tw_5dYq0example-token-that-is-shown-once' });
  await page.route(/api\/pictures\//, route =>
    route.fulfill({ body: jpegs('booking', 1).jpeg, contentType: 'image/jpeg' }),
  );
  return { sent, tell, breakLink: async () => socket?.close() };
}

function frameOf(watch: number, { jpeg, width, height }: ReturnType<Jpegs>): Buffer {
  const header = Buffer.alloc(FRAME.jpeg);
  header.writeUInt32LE(watch, FRAME.watch);
  header.writeUInt32LE(1, FRAME.frame);
  header.writeDoubleLE(Date.now(), FRAME.time);
  header.writeUInt16LE(width, FRAME.width);
  header.writeUInt16LE(height, FRAME.height);
  return Buffer.concat([header, jpeg]);
}
