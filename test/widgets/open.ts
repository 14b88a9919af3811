// Jobs that Tabwright does not do yet, with the reason: the tests leave them out, `npm run widgets` does them all.

const PLACE = 'the drag ends at another place';

/** Page → name of a job → reason. */
export const OPEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sortable: { 'move an errand to the end': PLACE, 'move an errand up': PLACE, 'move an item to the other list': PLACE },
  'jquery-ui': { 'set the heat': 'the handle of a slider without a role is not printed' },
};
