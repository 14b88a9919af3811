// Every view of the page in a state that can be brought about at will: for axe, and for pictures.
import type { Page } from 'playwright-core';
import type { Told } from './told.ts';

export interface Shot {
  name: string;
  /** Of the address. */
  hash: string;
  steps?(page: Page, told: Told): Promise<void>;
}

export const SHOTS: Shot[] = [
  { name: 'login', hash: 'code=used' },
  { name: 'overview', hash: '' },
  { name: 'session', hash: 'session=booking' },
  {
    name: 'call',
    hash: 'session=booking',
    steps: async page => {
      await page.getByRole('button', { name: /click button "Continue"/ }).click();
    },
  },
  {
    name: 'snapshot',
    hash: 'session=booking',
    steps: async page => {
      await page.getByRole('tab', { name: 'Snapshot' }).click();
      await page.getByRole('button', { name: 'textbox "Password"' }).hover();
    },
  },
  {
    name: 'exports',
    hash: 'session=booking',
    steps: page => page.getByRole('tab', { name: 'Exports' }).click(),
  },
  {
    name: 'take-over',
    hash: 'session=booking',
    steps: async (page, told) => {
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByRole('button', { name: 'Hand back' }).waitFor();
      const box = { x: 410, y: 370, width: 460, height: 40 };
      told.tell({
        type: 'controls',
        session: 'booking',
        tab: 1,
        controls: [
          {
            id: 'c1',
            kind: 'select',
            box,
            label: 'Language',
            multiple: false,
            options: ['English', 'Deutsch', 'Français', 'Italiano'].map((label, index) => ({
              label,
              selected: index === 0,
              disabled: false,
            })),
          },
        ],
      });
      await page.getByRole('dialog', { name: 'Language' }).waitFor();
    },
  },
  {
    name: 'dialog',
    hash: 'session=prices',
    steps: async (page, told) => {
      await page.getByRole('button', { name: 'Take over' }).click();
      told.tell({
        type: 'controls',
        session: 'prices',
        tab: 4,
        controls: [{ id: 'c2', kind: 'dialog', dialog: 'confirm', message: 'Delete these 3 rows?', text: '' }],
      });
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'waiting', hash: 'view=waiting' },
  {
    name: 'server',
    hash: 'view=server',
    steps: async page => {
      await page.getByRole('button', { name: 'Run the checks' }).click();
      await page.getByRole('button', { name: 'Rotate research' }).click();
      await page.getByText('Chromium 158').waitFor();
    },
  },
  { name: 'offline', hash: '', steps: (_page, told) => told.breakLink() },
];
