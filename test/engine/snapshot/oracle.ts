// Holds our reading of pages against Chrome's accessibility tree, and adds up how far they agree.
import { type Browser, type BrowserContext, chromium, type Page as Tab } from 'playwright-core';
import { patterns } from '../../site/patterns.ts';
import { pageNames } from '../../site/serve.ts';
import { pageStates } from '../../site/states.ts';
import { compare, NOTHING } from './compare.ts';
import { type Difference, keyOf } from './differences.ts';
import { type Views, views } from './two-views.ts';

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;

/** A page of the test site, as it opens or in another state. */
export interface SiteStop {
  title: string;
  /** What differences are listed under. */
  page: string;
  path: string;
  reach?(tab: Tab): Promise<unknown>;
}

export const SITE_STOPS: readonly SiteStop[] = [
  ...pageNames.map(page => ({ title: page, page, path: page })),
  ...pageStates.map(({ page, state, reach }) => ({ title: `${page}, ${state}`, page, path: page, reach })),
  ...patterns.map(({ name, html }) => {
    const page = `pattern ${name}`;
    return { title: page, page, path: `html?of=${encodeURIComponent(html)}` };
  }),
];

/** Five hundred equal rows would flatter the figures. */
const NOT_COUNTED = 'long-list.html';

export interface Check {
  differences: Difference[];
  view: Views;
}

export class Oracle {
  readonly figures = { ...NOTHING };
  /** By key. */
  readonly seen = new Map<string, Difference>();
  readonly visited = new Set<string>();

  private constructor(
    readonly browser: Browser,
    readonly context: BrowserContext,
    readonly tab: Tab,
  ) {}

  static async start(): Promise<Oracle> {
    const browser = await chromium.launch({
      executablePath: process.env.TABWRIGHT_TEST_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    return new Oracle(browser, context, await context.newPage());
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  async visit(siteUrl: string, { page, path, reach }: SiteStop): Promise<Check> {
    await this.tab.goto(`${siteUrl}/${path}`);
    await reach?.(this.tab);
    return this.check(page);
  }

  /** Compares what the tab shows now. */
  async check(name: string): Promise<Check> {
    const view = await views(this.context, this.tab);
    const { differences, figures } = compare(name, view);
    this.visited.add(name);
    if (name !== NOT_COUNTED)
      for (const key of Object.keys(figures) as (keyof typeof figures)[]) this.figures[key] += figures[key];
    for (const difference of differences) this.seen.set(keyOf(difference), difference);
    return { differences, view };
  }

  /** The shares of elements with the same role, and with the same name. */
  get agreement(): { role: number; name: number } {
    const { elements, role, name } = this.figures;
    return { role: role / elements, name: name / elements };
  }

  report(): string {
    const { pages, elements, role, name, states, statesSame, texts, textsSame } = this.figures;
    return (
      `oracle: ${pages} pages and states, ${elements} elements, role ${percent(role, elements)}, ` +
      `name ${percent(name, elements)}, states ${percent(statesSame, states)} of ${states}, ` +
      `text ${percent(textsSame, texts)} of ${texts}, ${this.seen.size} differences`
    );
  }
}
