// Static role data: what ARIA (aria-query) and HTML say about roles, with Chrome's deviations.
import { roles as ARIA, type ARIARoleDefinition } from 'aria-query';

const words = (list: string): string[] => list.split(' ');
export const wordSet = (list: string): ReadonlySet<string> => new Set(words(list));

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

export const NAME_PROHIBITED = wordSet(
  'caption code deletion emphasis insertion none paragraph strong subscript superscript',
);

/** A name from content stops at these unless they have a name of their own (measured). */
export const OPAQUE = wordSet(
  'alert alertdialog application article banner blockquote complementary contentinfo dialog document feed figure form ' +
    'grid group listbox log main marquee menu menubar navigation note radiogroup row rowgroup search status table ' +
    'tablist tabpanel timer toolbar tree treegrid iframe region',
);

/** Tags whose text is part of the name in spite of their role. */
export const TRANSPARENT = wordSet('address details footer');

/** Roles with a value in a range. */
export const RANGES = wordSet('slider spinbutton scrollbar progressbar meter');

/** Roles that a person operates. */
export const INTERACTIVE = wordSet(
  'button link checkbox radio switch textbox searchbox spinbutton slider combobox listbox option menuitem ' +
    'menuitemcheckbox menuitemradio tab treeitem gridcell scrollbar summary date colorwell file',
);

/** aria-expanded means nothing on these. */
export const NO_EXPAND = wordSet('tabpanel generic paragraph heading image list listbox region group dialog');

/** Any of these takes away the presentational reading of an element. */
export const GLOBAL_ARIA: readonly string[] = words(
  'atomic busy controls current describedby description details dropeffect flowto grabbed keyshortcuts live owns ' +
    'relevant roledescription label labelledby braillelabel',
).map(name => `aria-${name}`);

/** SVG elements that draw something. */
export const SHAPES = wordSet('circle rect path ellipse polygon polyline line text use image');

export const SECTIONING = wordSet('article aside main nav section');
export const SECTIONING_ROLES = wordSet('article complementary main navigation');

/** Turns role → words (types, tags or other names for that role) into word → role. */
export const byWord = <R extends string>(wordsByRole: { [role in R]?: string }): ReadonlyMap<string, R> =>
  new Map(
    (Object.entries(wordsByRole) as [R, string][]).flatMap(([role, list]) => words(list).map(word => [word, role])),
  );

/** Roles by input type. */
export const INPUT_ROLES = byWord({
  button: 'button submit reset image',
  checkbox: 'checkbox',
  radio: 'radio',
  slider: 'range',
  spinbutton: 'number',
  searchbox: 'search',
  none: 'hidden',
  colorwell: 'color',
  date: 'date month week time datetime-local',
  file: 'file',
});

/** HTML tags that always have the role of the same name. */
const SAME_NAME = words(
  'article audio blockquote button caption code dialog dl figcaption figure form legend main mark math meter option ' +
    'search time video',
);

/** Roles by HTML tag, where the tag alone decides. */
export const TAG_ROLES = byWord({
  ...Object.fromEntries(SAME_NAME.map(tag => [tag, tag])),
  complementary: 'aside',
  definition: 'dd',
  deletion: 'del s',
  emphasis: 'em',
  group: 'optgroup fieldset details address hgroup',
  heading: 'h1 h2 h3 h4 h5 h6',
  iframe: 'iframe frame',
  insertion: 'ins',
  LabelText: 'label',
  list: 'ul dir ol menu',
  listitem: 'li',
  navigation: 'nav',
  paragraph: 'p',
  plugin: 'object embed',
  progressbar: 'progress',
  row: 'tr',
  rowgroup: 'thead tbody tfoot',
  separator: 'hr',
  status: 'output',
  strong: 'strong',
  subscript: 'sub',
  superscript: 'sup',
  term: 'dt dfn',
  textbox: 'textarea',
});
