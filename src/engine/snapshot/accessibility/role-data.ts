// Static role data: what ARIA (aria-query) and HTML say about roles, with Chrome's deviations.
import { roles as ARIA, type ARIARoleDefinition } from 'aria-query';

const words = (list: string): string[] => list.split(' ');
const set = (list: string): ReadonlySet<string> => new Set(words(list));

/** The package has nameFrom, its types do not. */
type Definition = ARIARoleDefinition & { nameFrom: readonly string[] };
const concrete = (ARIA.entries() as [string, Definition][]).filter(([, role]) => !role.abstract);

/** Roles that a role attribute can name. */
export const CONCRETE: ReadonlySet<string> = new Set([
  ...concrete.map(([role]) => role),
  ...words('image text sectionheader sectionfooter'),
]);

/** Roles named by what they contain. */
export const FROM_CONTENT: ReadonlySet<string> = (() => {
  const named = new Set(concrete.filter(([, role]) => role.nameFrom.includes('contents')).map(([role]) => role));
  for (const role of words('summary option term')) named.add(role);
  for (const role of words('caption rowgroup code definition row directory figure math')) named.delete(role);
  return named;
})();

export const NAME_PROHIBITED = set(
  'caption code deletion emphasis insertion none paragraph strong subscript superscript',
);

/** A name from content stops at these unless they have a name of their own (measured). */
export const OPAQUE = set(
  'alert alertdialog application article banner blockquote complementary contentinfo dialog document feed figure form ' +
    'grid group listbox log main marquee menu menubar navigation note radiogroup row rowgroup search status table ' +
    'tablist tabpanel timer toolbar tree treegrid iframe region',
);

/** Their text counts all the same. */
export const TRANSPARENT = set('address details footer');

/** Roles that a person operates. */
export const INTERACTIVE = set(
  'button link checkbox radio switch textbox searchbox spinbutton slider combobox listbox option menuitem ' +
    'menuitemcheckbox menuitemradio tab treeitem gridcell scrollbar summary date colorwell file',
);

/** aria-expanded means nothing on these. */
export const NO_EXPAND = set('tabpanel generic paragraph heading image list region group dialog');

/** Any of these takes away the presentational reading of an element. */
export const GLOBAL_ARIA: readonly string[] = words(
  'atomic busy controls current describedby description details dropeffect flowto grabbed keyshortcuts live owns ' +
    'relevant roledescription label labelledby braillelabel',
).map(name => `aria-${name}`);

/** SVG elements that draw something. */
export const SHAPES = set('circle rect path ellipse polygon polyline line text use image');

export const SECTIONING = set('article aside main nav section');
export const SECTIONING_ROLES = set('article complementary main navigation region');

export const INPUT_ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    button: 'button',
    submit: 'button',
    reset: 'button',
    image: 'button',
    checkbox: 'checkbox',
    radio: 'radio',
    range: 'slider',
    number: 'spinbutton',
    search: 'searchbox',
    hidden: 'none',
    color: 'colorwell',
    date: 'date',
    month: 'date',
    week: 'date',
    time: 'date',
    'datetime-local': 'date',
    file: 'file',
  }),
);

/** Role → the HTML tags that have it without conditions. */
const TAGS_BY_ROLE = {
  article: 'article',
  audio: 'audio',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  complementary: 'aside',
  definition: 'dd',
  deletion: 'del s',
  dialog: 'dialog',
  dl: 'dl',
  emphasis: 'em',
  figcaption: 'figcaption',
  figure: 'figure',
  form: 'form',
  group: 'optgroup fieldset details address hgroup',
  heading: 'h1 h2 h3 h4 h5 h6',
  iframe: 'iframe frame',
  insertion: 'ins',
  LabelText: 'label',
  legend: 'legend',
  list: 'ul dir ol menu',
  listitem: 'li',
  main: 'main',
  mark: 'mark',
  math: 'math',
  meter: 'meter',
  navigation: 'nav',
  option: 'option',
  paragraph: 'p',
  plugin: 'object embed',
  progressbar: 'progress',
  row: 'tr',
  rowgroup: 'thead tbody tfoot',
  search: 'search',
  separator: 'hr',
  status: 'output',
  strong: 'strong',
  subscript: 'sub',
  superscript: 'sup',
  term: 'dt dfn',
  textbox: 'textarea',
  time: 'time',
  video: 'video',
};

export const TAG_ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries(TAGS_BY_ROLE).flatMap(([role, tags]) => words(tags).map(tag => [tag, role] as const)),
);
