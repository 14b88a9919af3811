// The everyday jobs: what an agent does on pages that it does not know, and what the site must have been sent in the end.
import { fileURLToPath } from 'node:url';
import type { Agent } from './agent.ts';

export interface TaskJob {
  name: string;
  /** The page that it begins on. */
  page: string;
  run(agent: Agent): Promise<void>;
  /** Path of the site's API → all that must have been posted there. */
  outcome: Readonly<Record<string, readonly unknown[]>>;
}

const RECEIPT = fileURLToPath(new URL('receipt.txt', import.meta.url));

export const TASK_JOBS: readonly TaskJob[] = [
  {
    name: 'sign up, with a validation error',
    page: 'signup',
    async run(agent) {
      await agent.act(
        [
          { fill: 'textbox "Full name"', with: 'Ada Lovelace' },
          { fill: 'textbox "Email"', with: 'ada@example.com' },
          { fill: 'textbox "Password"', with: 'engine' },
          { select: 'combobox "Country"', option: 'Kenya' },
          { check: 'checkbox "I accept the terms"', on: true },
          { click: 'button "Create account"' },
        ],
        { see: 'at least 12' },
      );
      await agent.act([{ fill: 'textbox "Password"', with: 'engine-of-1843' }, { click: 'button "Create account"' }], {
        see: 'Welcome, Ada',
      });
    },
    outcome: {
      signup: [
        {
          name: 'Ada Lovelace',
          email: 'ada@example.com',
          password: 'engine-of-1843',
          country: 'ke',
          terms: true,
          news: false,
        },
      ],
    },
  },
  {
    name: 'search with suggestions',
    page: 'search',
    async run(agent) {
      await agent.act([{ fill: 'combobox "City"', with: 'lond' }], { see: 'London, Canada', late: true, look: true });
      await agent.act([{ click: 'option "London, Canada"' }], { see: 'degrees' });
    },
    outcome: { search: [{ name: 'London, Canada' }] },
  },
  {
    name: 'filter and page through a table',
    page: 'orders',
    async run(agent) {
      await agent.act([{ select: 'combobox "Status"', option: 'Overdue' }, { click: 'button "Next page"' }], {
        look: true,
        see: 'Page 2 of 2',
      });
      await agent.act([{ click: 'button "Remind A-1067"' }], { see: 'Reminder sent' });
    },
    outcome: { orders: [{ id: 'A-1067' }] },
  },
  {
    name: 'fill a cart and check out',
    page: 'shop',
    async run(agent) {
      await agent.act(
        [{ click: 'button "Add Teapot"' }, { click: 'button "Add Bread knife"' }, { click: 'link "Go to cart"' }],
        { page: true },
      );
      await agent.act([{ fill: 'spinbutton "Quantity of Teapot"', with: '2' }, { click: 'link "Check out"' }], {
        page: true,
      });
      await agent.act(
        [
          { fill: 'textbox "Name"', with: 'Ada' },
          { fill: 'textbox "Street"', with: 'Ring 1' },
          { fill: 'textbox "Postal code"', with: '1010' },
          { fill: 'textbox "City"', with: 'Vienna' },
          { check: 'radio "Express, next day"', on: true },
          { click: 'button "Place order"' },
        ],
        { page: true, see: 'Thank you for your order' },
      );
    },
    outcome: {
      checkout: [
        {
          cart: ['2 Teapot', '1 Bread knife'],
          name: 'Ada',
          street: 'Ring 1',
          code: '1010',
          city: 'Vienna',
          ship: 'express',
        },
      ],
    },
  },
  {
    name: 'settings with tabs and switches',
    page: 'settings',
    async run(agent) {
      await agent.act([{ click: 'tab "Notifications"' }], { look: true });
      await agent.act(
        [
          { check: 'switch "Weekly digest"', on: false },
          { check: 'switch "Security alerts"', on: true },
          { select: 'combobox "Frequency"', option: 'Daily' },
          { click: 'button "Save changes"' },
        ],
        { see: 'Settings saved' },
      );
    },
    outcome: { settings: [{ digest: false, security: true, mentions: true, often: 'Daily' }] },
  },
  {
    name: 'date picker',
    page: 'flights',
    async run(agent) {
      await agent.act([{ fill: 'textbox "To"', with: 'Lisbon' }, { click: 'button "Departure date"' }], {
        look: true,
        see: 'November 2026',
      });
      await agent.act([{ click: 'button "Next month"' }, { click: 'button "Next month"' }], {
        look: true,
        see: 'January 2027',
      });
      await agent.act([{ click: 'button "17"', anew: true }, { click: 'button "Search flights"' }], {
        see: 'flights to Lisbon',
      });
    },
    outcome: { flights: [{ to: 'Lisbon', date: '2027-1-17' }] },
  },
  {
    name: 'file upload',
    page: 'upload',
    async run(agent) {
      await agent.act(
        [
          { fill: 'textbox "Purpose"', with: 'Train to Graz' },
          { fill: 'textbox "Amount"', with: '38.50' },
          { upload: '"Receipt"', file: RECEIPT },
          { click: 'button "Send"' },
        ],
        { see: 'handed in', late: true },
      );
    },
    outcome: { upload: [{ purpose: 'Train to Graz', amount: '38.50', file: 'receipt.txt', size: 29 }] },
  },
  {
    name: 'wizard of four steps',
    page: 'wizard',
    async run(agent) {
      await agent.act([{ fill: 'textbox "Workspace name"', with: 'Analytical' }, { click: 'button "Next"' }], {
        look: true,
      });
      await agent.act([{ check: 'radio "Team"', on: true }, { click: 'button "Next"' }], { look: true });
      await agent.act(
        [
          { check: 'checkbox "Backups"', on: true },
          { check: 'checkbox "Audit log"', on: true },
          { click: 'button "Next"' },
        ],
        { look: true, see: 'Team with Backups and Audit log' },
      );
      await agent.act([{ click: 'button "Create workspace"' }], { see: 'is ready' });
    },
    outcome: { wizard: [{ name: 'Analytical', plan: 'Team', extras: ['Backups', 'Audit log'], invite: '' }] },
  },
  {
    name: 'tree of files, and a dialog that asks',
    page: 'files',
    async run(agent) {
      await agent.act([{ click: 'treeitem "reports"' }], { look: true });
      await agent.act([{ click: 'treeitem "2025"' }], { look: true });
      await agent.act([{ click: 'treeitem "summary.csv"' }], { look: true });
      await agent.act([{ click: 'button "Delete"' }], { look: true });
      await agent.act([{ click: 'button "Delete file"' }], { see: 'was deleted' });
    },
    outcome: { files: [{ path: 'reports/2025/summary.csv' }] },
  },
  {
    name: 'write and publish in an editor',
    page: 'editor',
    async run(agent) {
      await agent.act(
        [
          { fill: 'textbox "Title"', with: 'Rain' },
          { fill: 'textbox "Text"', with: 'It rained all day.' },
          { select: 'combobox "Category"', option: 'Travel' },
          { click: 'button "Publish"' },
        ],
        { see: 'Published a moment ago' },
      );
    },
    outcome: { editor: [{ title: 'Rain', text: 'It rained all day.', category: 'Travel' }] },
  },
  {
    name: 'login with a redirect',
    page: 'account',
    async run(agent) {
      await agent.act(
        [
          { fill: 'textbox "User name"', with: 'ada' },
          { fill: 'textbox "Password"', with: 'engine-1843' },
          { click: 'button "Sign in"' },
        ],
        { page: true, see: 'Signed in as ada' },
      );
      await agent.act([{ click: 'button "Pay invoice 2042"' }], { see: 'Paid' });
    },
    outcome: { account: [{ id: '2042' }] },
  },
  {
    name: 'chat that polls',
    page: 'chat',
    async run(agent) {
      await agent.act([{ fill: 'textbox "Message"', with: 'Is a table free at 8?' }, { click: 'button "Send"' }], {
        see: 'table 7 is free',
        late: true,
      });
      await agent.act([{ fill: 'textbox "Message"', with: 'I take it.' }, { click: 'button "Send"' }], {
        see: 'See you then',
        late: true,
      });
    },
    outcome: { chat: [{ text: 'Is a table free at 8?' }, { text: 'I take it.' }] },
  },
  {
    name: 'list of tasks',
    page: 'todo',
    async run(agent) {
      await agent.act(
        ['Milk', 'Bread', 'Tea'].flatMap(task => [
          { fill: 'textbox "New task"', with: task },
          { click: 'button "Add"' },
        ]),
        { look: true, see: '3 left' },
      );
      await agent.act([{ check: 'checkbox "Bread"', on: true }, { click: 'button "Clear completed"' }], {
        see: '2 left',
      });
    },
    outcome: { todo: [{ tasks: ['Milk', 'Tea'] }] },
  },
];
