// Where our snapshot and Chrome's accessibility tree differ on the test site, each with its reason; and Chrome's role names in our words.

export interface Difference {
  page: string;
  kind: 'role' | 'name' | 'state' | 'text' | 'extra';
  /** Tag with id, text or first attribute. */
  element: string;
  chrome: string;
  ours: string;
}

export const keyOf = ({ page, kind, element, chrome, ours }: Difference): string =>
  `${page} | ${kind} | ${element} | chrome: ${chrome} | ours: ${ours}`;

/** Our role → Chrome's internal names for it. */
const SPELLINGS: Readonly<Record<string, string>> = {
  audio: 'Audio',
  canvas: 'Canvas',
  colorwell: 'ColorWell',
  combobox: 'ComboBoxSelect ComboBoxMenuButton TextFieldWithComboBox PopUpButton',
  date: 'Date DateTime InputTime',
  definition: 'DescriptionListDetail',
  dl: 'DescriptionList',
  document: 'RootWebArea',
  figcaption: 'Figcaption',
  generic: 'LayoutTable LayoutTableRow LayoutTableCell',
  group: 'Details',
  iframe: 'Iframe IframePresentational',
  image: 'img SvgRoot graphics-symbol',
  legend: 'Legend',
  math: 'MathMLMath',
  option: 'MenuListOption',
  plugin: 'PluginObject EmbeddedObject',
  summary: 'DisclosureTriangle DisclosureTriangleGrouped',
  term: 'DescriptionListTerm',
  video: 'Video',
};

/** Chrome's internal role names and the roles they stand for. */
export const CHROME_ROLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SPELLINGS).flatMap(([ours, theirs]) => theirs.split(' ').map(name => [name, ours])),
);

/** Roles that stand in a snapshot as an element of their own. */
export const PRINTED: ReadonlySet<string> = new Set(
  `button link checkbox radio switch textbox searchbox spinbutton slider combobox listbox option menuitem menuitemcheckbox
  menuitemradio menu menubar tab tablist tabpanel tree treeitem grid gridcell cell row columnheader rowheader table heading image
  banner navigation main complementary contentinfo region search form list listitem group radiogroup dialog alertdialog alert
  status article figure separator progressbar meter summary date colorwell file iframe canvas video audio term definition dl math
  caption legend figcaption tooltip log toolbar feed scrollbar marquee timer note application document`.split(/\s+/),
);

interface Reasoned {
  reason: string;
  page: string;
  /** Kind, element, what Chrome says, what we say. */
  rows: [Difference['kind'], string, string, string][];
}

const REASONED: Reasoned[] = [
  {
    reason: 'Chrome leaves out what content-visibility: auto skips while it is off-screen; a person can scroll to it.',
    page: 'content-visibility.html',
    rows: [
      ['extra', 'h2 "Far chapter"', 'absent', 'heading "Far chapter"'],
      ['extra', 'button "Like the far one"', 'absent', 'button "Like the far one"'],
      ['extra', 'h2 "Chapter 1"', 'absent', 'heading "Chapter 1"'],
      ['extra', 'button "Like 1"', 'absent', 'button "Like 1"'],
      ['extra', 'h2 "Chapter 2"', 'absent', 'heading "Chapter 2"'],
      ['extra', 'button "Like 2"', 'absent', 'button "Like 2"'],
    ],
  },
  {
    reason: 'Chrome never calls an option of a disabled select selected; it is what the select shows.',
    page: 'disabled.html',
    rows: [['state', 'option "One"', 'selected=false', 'selected=true']],
  },
  {
    reason: 'As for disabled.html: the chosen option of a disabled select.',
    page: 'fieldsets.html',
    rows: [['state', 'option "Kenya"', 'selected=false', 'selected=true']],
  },
  {
    reason: 'As for disabled.html: the chosen option of a disabled select.',
    page: 'select.html',
    rows: [['state', 'option "Fixed"', 'selected=false', 'selected=true']],
  },
  {
    reason: 'Chrome calls an object element disabled, though nothing about it is.',
    page: 'figures.html',
    rows: [['state', 'object[type=image/gif]', 'disabled=true', 'disabled=false']],
  },
  {
    reason: 'Chrome drops MathML from a name; a person reads it there.',
    page: 'math.html',
    rows: [
      ['name', 'button "Solve y"', 'Solve', 'Solve 𝑦'],
      ['name', 'a "the proof of a2"', 'the proof of', 'the proof of 𝑎 2'],
    ],
  },
  {
    reason:
      'Chrome names a video without a source by its state and calls it disabled; the name its author gave says more.',
    page: 'media.html',
    rows: [
      ['name', 'video#mute', 'Unable to play media.', 'Without controls'],
      ['state', 'video#mute', 'disabled=true', 'disabled=false'],
    ],
  },
  {
    reason: 'Chrome reads a wbr as a space; on screen the word is whole.',
    page: 'names.html',
    rows: [['name', 'button "reload"', 're load', 'reload']],
  },
  {
    reason:
      'Chrome puts blanks between letters that stand side by side in boxes of their own; on screen they are one word.',
    page: 'names.html',
    rows: [['name', 'button "ab"', 'a b', 'ab']],
  },
  {
    reason: 'Chrome goes by borders and colours; a table of words alone is read by rows, whatever it looks like.',
    page: 'table-layout.html',
    rows: [
      ['role', 'table "Plainwordsin tworows"', 'generic', 'table'],
      ['role', 'tr "Plainwords"', 'generic', 'row'],
      ['role', 'tr "in tworows"', 'generic', 'row'],
    ],
  },
  {
    reason: 'The table that only lays out is gone, as in Chrome; a row of words in it still reads as one line.',
    page: 'table-nested.html',
    rows: [['role', 'tr "No border, no header,"', 'generic', 'row']],
  },
  {
    reason: 'As for table-layout.html: a table of words, and here it even has a name.',
    page: 'tables.html',
    rows: [
      ['role', 'table "Home2 Guests1"', 'generic', 'table'],
      ['role', 'tr "Home2"', 'generic', 'row'],
      ['role', 'tr "Guests1"', 'generic', 'row'],
    ],
  },
];

export const KNOWN: readonly Difference[] = REASONED.flatMap(({ page, rows }) =>
  rows.map(([kind, element, chrome, ours]) => ({ page, kind, element, chrome, ours })),
);
