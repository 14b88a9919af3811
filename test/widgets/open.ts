// Jobs that Tabwright does not do yet, with the reason: the tests leave them out, `npm run widgets` does them all.

/** Page → name of a job → reason. */
export const OPEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'jquery-ui': { 'set the heat': 'the handle of a slider without a role is not printed' },
  'dnd-kit': { 'drop the parcel into a box': 'a place to drop on that only the library knows of has no ref' },
};
