// Jobs on lists whose items are dragged.
import type { Jobs } from '../job.ts';

/** What the tests do too. */
export const SMALL_LIST_JOBS: Jobs = {
  sortable: [
    {
      name: 'move an errand to the end',
      steps: [{ drag: '"Bank"', after: '"Bakery"' }],
      expect: { order: ['Post', 'Market', 'Library', 'Bakery', 'Bank'] },
    },
    {
      name: 'move an errand up',
      steps: [{ drag: '"Library"', before: '"Post"' }],
      expect: { order: ['Bank', 'Library', 'Post', 'Market', 'Bakery'] },
    },
    {
      name: 'move an item to the other list',
      steps: [{ drag: '"Write"', onto: '"Sweep"' }],
      expect: { todo: ['Paint'] },
    },
    {
      name: 'move a song by its grip',
      steps: [{ drag: '"Move" in "Canon"', before: '"Aria"' }],
      expect: { songs: ['Canon', 'Aria', 'Blues'] },
    },
  ],
  'jquery-ui': [
    {
      name: 'move a step to the end',
      steps: [{ drag: '"Wash"', after: '"Serve"' }],
      expect: { order: ['Peel', 'Cook', 'Serve', 'Wash'] },
    },
    {
      name: 'put the apple into the basket',
      steps: [{ drag: '"Apple"', onto: '"Basket"' }],
      expect: { basket: 'Apple' },
    },
    { name: 'set the heat', steps: [{ fill: 'slider', with: '35' }], expect: { heat: 35 } },
    {
      name: 'choose a day in the calendar',
      steps: [{ click: 'textbox "Day"' }, { click: '"14"' }],
      expect: { day: '05/14/2026' },
    },
    {
      name: 'choose a fruit while typing',
      steps: [{ click: '"Fruit"' }, { type: 'Apr' }, { click: '"Apricot"' }],
      expect: { fruit: 'Apricot' },
    },
  ],
};

export const LIST_JOBS: Jobs = {
  'hello-pangea': [
    {
      name: 'move an animal down',
      steps: [{ drag: '"Ants"', after: '"Cats"' }],
      expect: { order: ['Bees', 'Cats', 'Ants', 'Dogs'] },
    },
  ],
  'react-aria-list': [
    {
      name: 'move a material down',
      steps: [{ drag: 'row "Adobe"', after: 'row "Clay"' }],
      expect: { order: ['Bricks', 'Clay', 'Adobe', 'Dust'] },
    },
  ],
  'dnd-kit': [
    {
      name: 'move a step down',
      steps: [{ drag: '"Plan"', after: '"Build"' }],
      expect: { steps: ['Design', 'Build', 'Plan', 'Test', 'Ship'] },
    },
    {
      name: 'move a step with the keyboard',
      steps: [{ click: '"Ship"' }, { press: 'Space' }, { press: 'ArrowUp' }, { press: 'Space' }],
      expect: { steps: ['Plan', 'Design', 'Build', 'Ship', 'Test'] },
    },
    { name: 'drop the parcel into a box', steps: [{ drag: '"Parcel"', onto: '"Rome"' }], expect: { parcel: 'Rome' } },
  ],
};
