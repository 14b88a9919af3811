// The judge of our selectors: Playwright's locators must find the same elements, over the whole test site.
import { type Browser, type CDPSession, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { semantic } from '../../../src/engine/elements/locate.ts';
import type { Strategy } from '../../../src/engine/elements/parse-target.ts';
import { SOURCE } from '../../../src/engine/inpage/source.ts';
import { byRole } from '../../../src/engine/selectors/by-role.ts';
import { readCss } from '../../../src/engine/selectors/read-css.ts';
import { type PageStep, type RoleStep, VISIBLE } from '../../../src/engine/selectors/steps.ts';
import { decode } from '../../../src/engine/snapshot/capture/decode.ts';
import { COMPUTED_STYLES } from '../../../src/engine/snapshot/capture/node.ts';
import { pageNames, type Site, startSite } from '../../site/serve.ts';

let site: Site;
let browser: Browser;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  site = await startSite();
  browser = await chromium.launch({
    executablePath: process.env.TABWRIGHT_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  session = await page.context().newCDPSession(page);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Where an element is, through shadow roots: the same in every script world. */
const PLACE = `el => {
  const path = [];
  for (let at = el; at; at = at.parentNode ?? at.host)
    path.push(at.host ? 'shadow' : [...(at.parentNode?.childNodes ?? [])].indexOf(at));
  return el.localName + ' ' + path.reverse().join('/');
}`;

interface Case {
  said: string;
  steps: PageStep[] | RoleStep;
  theirs: Locator;
}

async function world(): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  await session.send('Runtime.evaluate', { expression: SOURCE, contextId: executionContextId });
  return executionContextId;
}

async function inPage(cases: Case[]): Promise<string[][]> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `${JSON.stringify(cases.map(({ steps }) => steps))}.map(steps => tabwright.firstMatches(steps, 1e6, []).slice(1).map(${PLACE}))`,
    contextId: await world(),
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
  return result.value as string[][];
}

async function inCapture(cases: Case[]): Promise<string[][]> {
  const snap = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...COMPUTED_STYLES] });
  const { main } = decode([{ process: '', snap }]);
  const executionContextId = await world();
  const placeOf = async (backendNodeId: number): Promise<string> => {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId!,
      functionDeclaration: `function() { return (${PLACE})(this); }`,
    });
    return result.value as string;
  };
  return Promise.all(cases.map(({ steps }) => Promise.all(byRole(main, steps as RoleStep).map(placeOf))));
}

const theirsOf = (cases: Case[]): Promise<string[][]> =>
  Promise.all(
    cases.map(({ theirs }) => theirs.evaluateAll((els, place) => els.map(new Function(`return ${place}`)()), PLACE)),
  ) as Promise<string[][]>;

/** Some pages change by themselves for a while: what is compared was there before and after. */
const TRIES = 20;

async function differences(cases: Case[], ours: (cases: Case[]) => Promise<string[][]>): Promise<string[]> {
  for (let left = TRIES; left > 0; left--) {
    const before = await ours(cases);
    const theirs = await theirsOf(cases);
    if (JSON.stringify(before) !== JSON.stringify(await ours(cases))) continue;
    return cases.flatMap(({ said }, at) => {
      const [mine = [], wanted = []] = [before[at], theirs[at]];
      const more = mine.filter(place => !wanted.includes(place)).map(place => `${said} + ${place}`);
      const less = wanted.filter(place => !mine.includes(place)).map(place => `${said} - ${place}`);
      // Their order across shadow roots is not that of the page.
      const isOrdered = wanted.some(place => place.includes('shadow')) || `${mine}` === `${wanted}`;
      return [...more, ...less, ...(isOrdered || more.length + less.length > 0 ? [] : [`${said}: order`])];
    });
  }
  throw new Error(`${page.url()} never stands still`);
}

const CSS = [
  'button',
  'input[type="text"], textarea',
  'form input:not([type=checkbox])',
  'label > input',
  'li + li a',
  'h1 ~ p',
  'div :first-child',
  'section button:nth-child(2), nav a[href*="/"]',
  'form:has(input) button',
  ':is(main, body) > :not(script, style)',
  'li >> nth=1',
  'li >> nth=-1',
  'ul >> css=li >> nth=0',
  'form >> xpath=.//input',
  'ul >> > li',
  'button:visible',
  'li:has-text("a")',
  'tr:has-text("e") td',
  ':text("Save")',
  'button:text-is("Save")',
  'label:has(input):has-text("a")',
  'div:not(:has-text("e"))',
  '*:visible:not(:has(*))',
  '#email',
  'my-element button, x-signup input, [id] input',
];
const XPATH = ['//button', '//li[2]', '(//a)[1]', '//*[text()="Save"]', 'id("email")'];
const WORDS = ['save', 'E', '  Email'];
const ROLES =
  'button link textbox checkbox radio switch heading list listitem img table row cell columnheader rowheader gridcell grid combobox option listbox slider spinbutton searchbox dialog alert status navigation main banner contentinfo complementary region form search group separator progressbar meter menu menubar menuitem menuitemcheckbox menuitemradio tab tablist tabpanel tree treeitem tooltip toolbar article figure paragraph';

const semanticCase = (by: Exclude<Strategy, 'role'>, value: string, exact: boolean): Case => {
  const theirs = {
    text: () => page.getByText(value, { exact }),
    label: () => page.getByLabel(value, { exact }),
    placeholder: () => page.getByPlaceholder(value, { exact }),
    alt: () => page.getByAltText(value, { exact }),
    title: () => page.getByTitle(value, { exact }),
    testid: () => page.getByTestId(value),
  }[by]();
  const steps = [semantic(by, value, { exact }) as PageStep];
  return { said: `${by}:${value}${exact ? ' exact' : ''}`, steps, theirs };
};

/** Words that the page itself has. */
const OWN_WORDS = `[...document.querySelectorAll('h1, h2, button, a, label, td, [placeholder], [alt], [title], [aria-label]')].slice(0, 40).flatMap(el =>
  [el.textContent, ...['placeholder', 'alt', 'title', 'aria-label'].map(name => el.getAttribute(name))]).map(text => (text ?? '').trim().slice(0, 60)).filter(Boolean)`;

async function pageCases(): Promise<Case[]> {
  const own = [...new Set((await page.evaluate(OWN_WORDS)) as string[])].slice(0, 5);
  const words = (by: Exclude<Strategy, 'role'>, list: string[]) =>
    list.flatMap(value => [semanticCase(by, value, false), semanticCase(by, value, true)]);
  const texts = words('text', [...WORDS, ...own]);
  return [
    ...CSS.map(said => ({ said, steps: readCss(said, said), theirs: page.locator(`css=${said}`) })),
    ...XPATH.map(value => ({
      said: value,
      steps: [{ by: 'xpath', value } as const],
      theirs: page.locator(`xpath=${value}`),
    })),
    ...texts,
    ...(['label', 'placeholder', 'alt', 'title'] as const).flatMap(by => words(by, own.slice(0, 2))),
    ...texts.map(({ said, steps, theirs }) => ({
      said: `${said} visible`,
      steps: [...(steps as PageStep[]), VISIBLE],
      theirs: theirs.filter({ visible: true }),
    })),
  ];
}

async function roleCases(): Promise<Case[]> {
  const words = [...new Set((await page.evaluate(OWN_WORDS)) as string[])].slice(0, 2);
  const named = ['button', 'link', 'textbox', 'heading'].flatMap(role => words.map(name => ({ role, name })));
  const all: { role: string; name?: string }[] = [...ROLES.split(' ').map(role => ({ role })), ...named];
  return all.flatMap(({ role, name }) =>
    (name === undefined ? [false] : [false, true]).map(exact => ({
      said: name === undefined ? role : `${role}[${name}]${exact ? ' exact' : ''}`,
      steps: semantic('role', role, { name, exact }) as RoleStep,
      theirs: page.getByRole(role as Parameters<Page['getByRole']>[0], name === undefined ? {} : { name, exact }),
    })),
  );
}

/** By role we find what Chrome's own tree and our snapshots say, Playwright what the standards ask for: `+` is what only we find. */
const CHROME_SAYS: Readonly<Record<string, RegExp>> = {
  'a form needs no name': /: form \+ form /,
  'a landmark that the page writes needs one': /^(landmarks|orphans).html: (region|form|complementary) - /,
  'parts of a page that are no landmarks': /: group \+ (header|footer|address|hgroup|optgroup) /,
  'to be dragged': /: group \+ div /,
  'lists of terms': /: list \+ dl /,
  'no items of a list that is none, and items by style': /^orphans.html: listitem [-+] /,
  'pictures without an alt, or drawn': /: img \+ (img|i|rect|circle|path) /,
  'links by what a click does': /^sentence.html: link.* \+ a /,
  'closed shadow roots': /: .* \+ .*shadow/,
  'content of a canvas': /^canvas.html: .* \+ .* -1\/1\/2\/5\//,
  'a field with a list': /^names.html: (combobox \+|spinbutton -) input /,
  'headers of rows, layout by tables': /^table-(layout|nested).html: (columnheader -|rowheader \+|table \+) /,
  'any value of aria-hidden hides': /^orphans.html: button - /,
  'aria-owns brings back what is hidden': /^aria-hidden.html: option \+ /,
};

const used = new Set<string>();

/** The differences that are not expected. */
const surprising = (name: string, found: string[]): string[] =>
  found
    .map(difference => `${name}: ${difference}`)
    .filter(difference => {
      const reason = Object.keys(CHROME_SAYS).find(key => CHROME_SAYS[key]?.test(difference));
      if (reason) used.add(reason);
      return !reason;
    });

describe("our selectors find what Playwright's find", () => {
  test.for(pageNames)('%s', async name => {
    await page.goto(`${site.url}/${name}`);
    expect(await differences(await pageCases(), inPage)).toEqual([]);
    expect(surprising(name, await differences(await roleCases(), inCapture))).toEqual([]);
  });

  test('every listed difference still occurs', () => expect([...used].sort()).toEqual(Object.keys(CHROME_SAYS).sort()));
});
