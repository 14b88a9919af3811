// Jobs on the boards: the same for each framework.
import type { Job, Jobs } from '../job.ts';

const RENAME: Job = {
  name: 'rename a task by double click',
  steps: [{ dblclick: '"Water plants"' }, { fill: 'textbox', with: 'Water the roses' }, { press: 'Enter' }],
  expect: { tasks: ['Buy milk', 'Water the roses', 'Call Ada'] },
};

const CHOOSE_DISH: Job = {
  name: 'choose a dish from the list',
  steps: [{ click: '"Salad"' }],
  expect: { dish: 'Salad' },
};

const PICK_PERSON: Job = { name: 'pick a row of the table', steps: [{ click: '"Bo"' }], expect: { person: 'Bo' } };

const SIGN_OUT: Job = {
  name: 'sign out in the menu that opens on hover',
  steps: [{ hover: '"Account"' }, { click: '"Sign out"' }],
  expect: { account: 'signed out' },
};

const COUNT: Job = {
  name: 'press a button three times while its label counts',
  steps: [{ click: 'button "Clicked"', times: 3 }],
  expect: { count: 3 },
};

const DROP: Job = {
  name: 'drag a card into a column',
  steps: [{ drag: '"Report"', onto: '"Done"' }],
  expect: { done: 'Report' },
};

const BOARD = [RENAME, CHOOSE_DISH, PICK_PERSON, SIGN_OUT, COUNT, DROP];

export const FRAMEWORK_JOBS: Jobs = {
  react: BOARD,
  'react-17': BOARD,
  preact: BOARD,
  vue: BOARD,
  svelte: BOARD,
  solid: BOARD,
  lit: BOARD,
  alpine: BOARD,
  jquery: BOARD,
  stimulus: BOARD,
  htmx: [
    {
      name: 'open a task by double click',
      steps: [{ dblclick: '"Water plants"' }],
      expect: { opened: 'Water plants' },
    },
    CHOOSE_DISH,
    PICK_PERSON,
    { name: 'see the account on hover', steps: [{ hover: '"Account"' }], expect: { account: 'Signed in as Eve' } },
  ],
};

/** Too large for the tests. */
export const LARGE_FRAMEWORK_JOBS: Jobs = { angular: BOARD };
