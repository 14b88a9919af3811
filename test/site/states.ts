// States of the test site's pages that only show after an action: open menus, typed values, checked boxes.
import type { Page } from 'playwright-core';

export interface PageState {
  page: string;
  state: string;
  reach(page: Page): Promise<unknown>;
}

type Step = (page: Page) => Promise<unknown>;

const click =
  (...selectors: string[]): Step =>
  async page => {
    for (const selector of selectors) await page.click(selector);
  };
const fill =
  (values: Record<string, string>): Step =>
  async page => {
    for (const [selector, value] of Object.entries(values)) await page.fill(selector, value);
  };
const hover =
  (selector: string): Step =>
  page =>
    page.hover(selector);
const scrollTo =
  (selector: string): Step =>
  page =>
    page.locator(selector).scrollIntoViewIfNeeded();

const STATES: Record<string, Record<string, Step>> = {
  'accordion.html': { 'all open': click('#first summary', '#head', 'summary h2') },
  'calendar.html': { chosen: click('[aria-label="2024-02-20"]') },
  'chat.html': {
    sent: async page => {
      await page.locator('#text').pressSequentially('Thanks');
      await page.click('[type=submit]');
    },
  },
  'checkout.html': {
    typed: fill({ '#card': '4111111111111111', '#cvc': '123', '#phone': '5551234567' }),
    refused: click('button[type=submit]'),
  },
  'combobox.html': {
    suggesting: page => page.locator('#city').pressSequentially('b'),
    'seats open': click('#seat'),
    'seat chosen': click('#seat', 'text=Aisle'),
  },
  'content-visibility.html': { 'scrolled to the end': scrollTo('text=Like the far one') },
  'cookie-banner.html': { accepted: click('text=Accept all') },
  'custom-checkbox.html': { checked: click('text=Sleeping bag', 'text=By bike') },
  'date-time.html': {
    filled: fill({ '#date': '2024-12-24', '#week': '2024-W52', '#range': '22.5', '#color': '#00ff00' }),
  },
  'dialog-aria.html': { open: click('#delete') },
  'dialog-native.html': { modal: click('#new'), 'not modal': click('#tip') },
  'editor.html': { typed: page => page.locator('#bare').pressSequentially('Typed ') },
  'email.html': {
    'message open': click('tr[data-mail="0"] td:nth-child(3)'),
    writing: click('#write'),
    selected: click('tr[data-mail="1"] input'),
  },
  'files.html': { 'context menu': page => page.click('text=notes.txt', { button: 'right' }) },
  'hidden.html': { 'all shown': click('#show', 'summary') },
  'hover-menu.html': { open: hover('text=Products') },
  'inert.html': { awake: click('#wake') },
  'infinite.html': {
    'scrolled once': async page => {
      await scrollTo('#end')(page);
      await page.waitForSelector('#p20');
    },
  },
  'inputs.html': {
    changed: click('text=Ads', 'text=Small'),
    typed: fill({ '[name=text]': ' spaced  out ', '[name=number]': '9', textarea: 'Two\nlines' }),
  },
  'internals.html': { checked: click('in-check') },
  'late.html': { settled: page => page.waitForSelector('body[data-ready]') },
  'listbox.html': {
    chosen: click('text=Mushrooms'),
    'native chosen': async page => {
      await page.selectOption('#native', 'West');
      await page.selectOption('#multi', ['Green', 'Blue']);
    },
  },
  'login.html': {
    refused: click('button'),
    'code asked': async page => {
      await fill({ '#mail': 'a@b.c', '#word': 'open sesame' })(page);
      await page.click('button');
    },
  },
  'long-list.html': { filtered: fill({ '#filter': '49' }) },
  'menu.html': { open: click('#open') },
  'menubar.html': { open: click('text=File') },
  'pagination.html': { 'second page': click('[data-page="2"]') },
  'password.html': { revealed: click('#reveal') },
  'player.html': { playing: click('#play') },
  'popover.html': { card: click('[popovertarget=card]'), menu: click('[popovertarget=menu]'), note: click('#note') },
  'pricing.html': { yearly: click('text=Yearly') },
  'radiogroup.html': { chosen: click('text=Deep pan', 'text=Small', '[aria-label="2 stars"]') },
  'select.html': { chosen: page => page.selectOption('#none', 'One') },
  'settings.html': { toggled: click('[aria-labelledby=t1]', '[aria-labelledby=t2]', '#share') },
  'signup.html': {
    filled: async page => {
      await fill({ '#name': 'Ada Lovelace', '#email': 'ada@example.com', '#password': 'secret' })(page);
      await page.selectOption('#country', 'jp');
      await page.check('[name=terms]');
    },
  },
  'signup-in-cross-origin-iframe.html': { filled: page => page.frameLocator('iframe').locator('#name').fill('Ada') },
  'spa.html': { inbox: click('text=Inbox', 'text=Invoice') },
  'switch.html': { flipped: click('.track', 'text=Mute', 'text=Wi-Fi') },
  'tabs.html': { 'second tab': click('#t2') },
  'toast.html': { failed: click('#fail') },
  'todo.html': { editing: page => page.dblclick('text=Buy bread'), done: click('[aria-label="Done: Buy bread"]') },
  'tooltip.html': { shown: hover('text=Save'), 'put in by script': hover('#late') },
  'tree.html': { expanded: click('text=tools') },
  'until-found.html': { found: click('text=Jump to the deep part') },
  'upload.html': {
    chosen: page => page.setInputFiles('#one', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }),
  },
  'virtual-list.html': { scrolled: page => page.$eval('#view', view => view.scrollTo(0, 4000)) },
  'wizard.html': {
    refused: click('#next'),
    'second step': async page => {
      await fill({ '#street': 'Ringstraße 1' })(page);
      await page.click('#next');
    },
  },
};

export const pageStates: readonly PageState[] = Object.entries(STATES).flatMap(([page, states]) =>
  Object.entries(states).map(([state, reach]) => ({ page, state, reach })),
);
