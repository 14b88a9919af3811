// Jobs that Tabwright does not do yet, with the reason: the tests leave them out, `npm run widgets` does them all.

const NO_REF = 'what is meant is printed, but has no ref';

/** On every board. */
const BOARD: Readonly<Record<string, string>> = {
  'choose a dish from the list': NO_REF,
  'sign out in the menu that opens on hover': NO_REF,
  'drag a card into a column': NO_REF,
};

/** Where one listener at the root serves all elements. */
const DELEGATED = { ...BOARD, 'rename a task by double click': NO_REF, 'pick a row of the table': NO_REF };

/** Page → name of a job → reason. */
export const OPEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  react: DELEGATED,
  'react-17': DELEGATED,
  svelte: DELEGATED,
  solid: DELEGATED,
  jquery: DELEGATED,
  preact: BOARD,
  vue: BOARD,
  lit: BOARD,
  alpine: BOARD,
  stimulus: BOARD,
  sortable: {
    'move an errand to the end': NO_REF,
    'move an errand up': NO_REF,
    'move an item to the other list': NO_REF,
    'move a song by its grip': 'the grip is not printed',
  },
  'jquery-ui': {
    'move a step to the end': NO_REF,
    'put the apple into the basket': NO_REF,
    'set the heat': 'the handle of a slider without a role is not printed',
  },
  htmx: { 'see the account on hover': NO_REF },
};
