// The oracle test: roles, names and states of our snapshot against Chrome's own accessibility tree, over the whole test site.
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Frame,
  type Page as Tab,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer, toAsk } from '../../../src/engine/snapshot/ask.ts';
import { decode, type Page, type Part } from '../../../src/engine/snapshot/decode.ts';
import { hitOf } from '../../../src/engine/snapshot/hits.ts';
import { type Kept, keep } from '../../../src/engine/snapshot/keep.ts';
import { nameOf } from '../../../src/engine/snapshot/names.ts';
import { rawText, type SnapNode } from '../../../src/engine/snapshot/node.ts';
import { roleOf } from '../../../src/engine/snapshot/roles.ts';
import { statesOf } from '../../../src/engine/snapshot/states.ts';
import { STYLES } from '../../../src/engine/snapshot/styles.ts';
import { pageNames, type Site, startSite } from '../../site/serve.ts';
import { pageStates } from '../../site/states.ts';
import { CHROME_ROLES, type Difference, KNOWN, keyOf, PRINTED } from './differences.ts';

type AXNode = Awaited<ReturnType<typeof fullTree>>[number];

const AT_LEAST = 0.995;
const PAGES_AT_LEAST = 40;
/** Some pages change by themselves for a while; both views must be of the same moment. */
const TRIES = 40;
/** Five hundred equal rows would flatter the figures. */
const NOT_COUNTED = 'long-list.html';

const NOTHING = { pages: 0, elements: 0, role: 0, name: 0, states: 0, statesSame: 0, texts: 0, textsSame: 0 };
const figures = { ...NOTHING };
const seen = new Map<string, Difference>();
const visited = new Set<string>();

let site: Site;
let browser: Browser;
let context: BrowserContext;
let tab: Tab;

beforeAll(async () => {
  site = await startSite();
  browser = await chromium.launch({
    executablePath: process.env.TABWRIGHT_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  tab = await context.newPage();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

interface Process {
  key: string;
  session: CDPSession;
  frame: Frame;
}

/** One session per process: the tab's own, and one for each frame that has a process of its own. */
async function processes(): Promise<Process[]> {
  const found: Process[] = [{ key: '0', session: await context.newCDPSession(tab), frame: tab.mainFrame() }];
  for (const frame of tab.frames().slice(1)) {
    try {
      found.push({ key: String(found.length), session: await context.newCDPSession(frame), frame });
    } catch (error) {
      if (!String(error).includes('does not have a separate CDP session')) throw error;
    }
  }
  return found;
}

const capture = (session: CDPSession) =>
  session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...STYLES], includePaintOrder: true });

async function part(process: Process, all: Process[]): Promise<Part> {
  const snap = await capture(process.session);
  let above = process.frame.parentFrame();
  if (!above) return { process: process.key, snap };
  while (!all.some(other => other.frame === above)) above = above?.parentFrame() ?? null;
  const parent = all.find(other => other.frame === above)!;
  const frameId = snap.strings[snap.documents[0]!.frameId]!;
  const { backendNodeId } = await parent.session.send('DOM.getFrameOwner', { frameId });
  return { process: process.key, snap, owner: { process: parent.key, id: backendNodeId } };
}

async function fullTree(session: CDPSession, frameId: string) {
  return (await session.send('Accessibility.getFullAXTree', { frameId })).nodes;
}

interface Views {
  page: Page;
  chrome: { process: string; nodes: AXNode[] }[];
}

/** Both views of the same moment: the capture before and the one after Chrome's tree must be equal. */
async function views(): Promise<Views> {
  const all = await processes();
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const parts = await Promise.all(all.map(process => part(process, all)));
      const chrome = await Promise.all(all.map((process, i) => chromeView(process, parts[i]!)));
      const page = decode(parts);
      await askChrome(page, all);
      const after = await Promise.all(all.map(({ session }) => capture(session)));
      if (fingerprint(parts.map(({ snap }) => snap)) === fingerprint(after)) return { page, chrome };
    }
  } finally {
    await Promise.all(all.map(({ session }) => session.detach()));
  }
  throw new Error(`${tab.url()} never stands still`);
}

async function chromeView({ key, session }: Process, { snap }: Part): Promise<Views['chrome'][number]> {
  const trees = await Promise.all(snap.documents.map(doc => fullTree(session, snap.strings[doc.frameId]!)));
  return { process: key, nodes: trees.flat() };
}

async function askChrome(page: Page, all: Process[]): Promise<void> {
  for (const node of toAsk(page)) {
    const { session } = all.find(({ key }) => key === node.process)!;
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      backendNodeId: node.id,
      fetchRelatives: false,
    });
    if (nodes[0]) answer(node, nodes[0]);
    // Boxes are asked for their mixed state alone: their names are ours, and under test.
    if (node.tag === 'input' && node.attrs['aria-labelledby'] !== '') node.name = undefined;
  }
}

/** What a state brings about (boxes skipped or laid out again) is done when two frames have been drawn. */
const TWO_FRAMES = 'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

const fingerprint = (snaps: Part['snap'][]): string =>
  JSON.stringify(snaps.map(snap => [snap.strings, snap.documents.map(doc => [doc.nodes, doc.layout.nodeIndex])]));

const squash = (text: unknown): string =>
  String(text ?? '')
    .replace(/[\s\u200b\ufeff]+/g, ' ')
    .trim();

/** Chrome's internal role names, as the roles that we print. */
function chromeRole(ax: AXNode, node: SnapNode): string {
  if (node.tag === 'input' && node.attrs.type?.toLowerCase() === 'file') return 'file';
  const role = String(ax.role?.value ?? 'none');
  return CHROME_ROLES[role] ?? role;
}

/** We mask passwords, and print the words for a value where the author gave some. */
const hasPlainValue = (node: SnapNode): boolean => node.attrs.type !== 'password' && !node.attrs['aria-valuetext'];

/** Chrome keeps numbers in single precision. */
const plain = (value: unknown): string =>
  value === '' || Number.isNaN(Number(value)) ? squash(value) : String(Math.fround(Number(value)));

function describeElement(node: SnapNode): string {
  if (node.type === 3) return `text in ${node.parent ? describeElement(node.parent) : 'nothing'}`;
  if (node.attrs.id) return `${node.tag}#${node.attrs.id}`;
  const text = squash(rawText(node)).slice(0, 30);
  if (text) return `${node.tag} "${text}"`;
  const attribute = Object.entries(node.attrs).find(([key]) => key !== 'style' && key !== 'src');
  return attribute ? `${node.tag}[${attribute[0]}=${attribute[1].slice(0, 30)}]` : node.tag;
}

class Comparison {
  readonly differences: Difference[] = [];
  readonly figures = { ...NOTHING, pages: 1 };
  constructor(
    readonly page: string,
    readonly printed: ReadonlySet<SnapNode>,
  ) {}

  differ(kind: Difference['kind'], node: SnapNode, chrome: string, ours: string): void {
    this.differences.push({ page: this.page, kind, element: describeElement(node), chrome, ours });
  }

  /** An element that Chrome exposes. */
  exposed(node: SnapNode, ax: AXNode): void {
    const role = chromeRole(ax, node);
    const ours = node.hidden ? 'hidden' : roleOf(node);
    if (!PRINTED.has(role) && !this.printed.has(node)) return;
    this.figures.elements++;
    if (ours === role) this.figures.role++;
    else this.differ('role', node, role, ours);
    const name = squash(ax.name?.value);
    if (squash(nameOf(node)) === name) this.figures.name++;
    else this.differ('name', node, name, squash(nameOf(node)));
    this.states(node, ax, role);
  }

  /** An element that we print and that Chrome does not expose. */
  extra(node: SnapNode): void {
    this.figures.elements++;
    this.differ('extra', node, 'absent', `${roleOf(node)} ${JSON.stringify(squash(nameOf(node)))}`);
  }

  /** A piece of text that Chrome exposes. */
  text(node: SnapNode, ax: AXNode): void {
    const theirs = squash(ax.name?.value);
    const ours = node.hidden ? 'hidden' : squash(node.shown ?? node.raw);
    this.figures.texts++;
    if (ours === theirs) this.figures.textsSame++;
    else this.differ('text', node, theirs, ours);
  }

  private states(node: SnapNode, ax: AXNode, role: string): void {
    const chrome = Object.fromEntries((ax.properties ?? []).map(({ name, value }) => [name, value.value]));
    const ours: Record<string, unknown> = { ...statesOf(node) };
    const check = (state: string, theirs: unknown, mine: unknown) => {
      this.figures.states++;
      if (String(theirs) === String(mine)) this.figures.statesSame++;
      else this.differ('state', node, `${state}=${theirs}`, `${state}=${mine}`);
    };
    if (chrome.checked !== undefined) check('checked', chrome.checked, ours.checked ?? false);
    if (chrome.disabled || ours.disabled) check('disabled', Boolean(chrome.disabled), Boolean(ours.disabled));
    if (chrome.expanded !== undefined || ours.expanded !== undefined) check('expanded', chrome.expanded, ours.expanded);
    if (chrome.selected || ours.selected) check('selected', Boolean(chrome.selected), Boolean(ours.selected));
    if (chrome.pressed !== undefined) check('pressed', chrome.pressed, ours.pressed ?? false);
    if (role === 'heading') check('level', chrome.level, ours.level);
    if (ax.value && ours.value !== undefined && hasPlainValue(node))
      check('value', plain(ax.value.value), plain(ours.value));
    if (chrome.focusable && node.tag !== 'iframe') check('hit', true, Boolean(hitOf(node)));
  }
}

const WHOLE = { mode: 'full', compact: false, includeText: true, includeBounds: false } as const;

const printedIn = (list: Kept[]): SnapNode[] =>
  list.flatMap(kept => [...(kept.kind === 'run' ? [] : [kept.control ?? kept.node]), ...printedIn(kept.children)]);

function compare(name: string, { page, chrome }: Views): Comparison {
  const printed = new Set(printedIn(keep(page, WHOLE).children));
  const comparison = new Comparison(name, printed);
  const exposed = new Set<SnapNode>();
  for (const { process, nodes } of chrome) {
    for (const ax of nodes) {
      if (ax.ignored || ax.backendDOMNodeId === undefined) continue;
      const node = page.byKey(process, ax.backendDOMNodeId);
      if (!node) continue;
      if (node.type === 3) comparison.text(node, ax);
      if (node.type !== 1 || node.pseudo) continue;
      exposed.add(node);
      comparison.exposed(node, ax);
    }
  }
  // What is only hidden by aria-hidden is printed as such, and a bare picture or shape claims no role.
  for (const node of printed)
    if (!node.hidden && !exposed.has(node) && PRINTED.has(roleOf(node))) comparison.extra(node);
  return comparison;
}

const known = new Set(KNOWN.map(keyOf));

async function check(name: string, reach: (tab: Tab) => Promise<unknown>): Promise<void> {
  await tab.goto(`${site.url}/${name}`);
  await reach(tab);
  await tab.evaluate(TWO_FRAMES);
  const { differences, figures: these } = compare(name, await views());
  visited.add(name);
  if (name !== NOT_COUNTED)
    for (const key of Object.keys(figures) as (keyof typeof figures)[]) figures[key] += these[key];
  for (const difference of differences) seen.set(keyOf(difference), difference);
  expect(differences.map(keyOf).filter(key => !known.has(key))).toEqual([]);
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;

describe('our snapshot says what Chrome says', () => {
  test.for(pageNames)('%s', name => check(name, async () => undefined));
  test.for(pageStates)('$page, $state', ({ page, reach }) => check(page, reach));
});

describe('over all pages', () => {
  test('role and name agree for at least 99.5 % of the printed elements', () => {
    const { pages, elements, role, name, states, statesSame, texts, textsSame } = figures;
    console.log(
      `oracle: ${pages} pages and states, ${elements} elements, role ${percent(role, elements)}, name ${percent(name, elements)}, states ${percent(statesSame, states)} of ${states}, text ${percent(textsSame, texts)} of ${texts}, ${seen.size} differences`,
    );
    for (const key of seen.keys()) console.log(`  ${key}`);
    expect(visited.size).toBeGreaterThanOrEqual(PAGES_AT_LEAST);
    expect(role / elements).toBeGreaterThanOrEqual(AT_LEAST);
    expect(name / elements).toBeGreaterThanOrEqual(AT_LEAST);
  });

  test('every listed difference still occurs', () => {
    const gone = KNOWN.filter(difference => visited.has(difference.page) && !seen.has(keyOf(difference)));
    expect(gone.map(keyOf)).toEqual([]);
  });
});
