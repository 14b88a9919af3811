// Jobs that Tabwright does not do yet, with the reason: the tests leave them out, `npm run widgets` does them all.

/** Page → name of a job → reason. */
export const OPEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'jquery-ui': { 'set the heat': 'the handle of a slider without a role is not printed' },
  'dnd-kit': { 'drop the parcel into a box': 'a place to drop on that only the library knows of has no ref' },
  'material-web': {
    'fence it and light it': 'the label of a box inside a shadow root is neither its name nor printed as text',
  },
  primevue: { 'rate the taste': 'a hidden radio button without a label is covered by the star beside it' },
  monaco: { 'add a line': 'what takes the keys is hidden below the text that it edits, so it cannot be clicked' },
};
