// Where our snapshot and Chrome's accessibility tree differ on the test site, each with its reason; and Chrome's role names in our words.

export interface Difference {
  page: string;
  kind: 'role' | 'name' | 'state' | 'text' | 'extra';
  /** Tag with id, or with its first attribute. */
  element: string;
  chrome: string;
  ours: string;
}

export const keyOf = ({ page, kind, element, chrome, ours }: Difference): string =>
  `${page} | ${kind} | ${element} | chrome: ${chrome} | ours: ${ours}`;

/** Chrome's internal role names and the roles they stand for. */
export const CHROME_ROLES: Readonly<Record<string, string>> = {
  img: 'image', SvgRoot: 'image', RootWebArea: 'document', DisclosureTriangle: 'summary', DisclosureTriangleGrouped: 'summary',
  Details: 'group', Legend: 'legend', Figcaption: 'figcaption', Iframe: 'iframe', IframePresentational: 'iframe',
  DescriptionList: 'dl', DescriptionListTerm: 'term', DescriptionListDetail: 'definition',
  Date: 'date', DateTime: 'date', InputTime: 'date', ColorWell: 'colorwell', Canvas: 'canvas', Video: 'video', Audio: 'audio',
  ComboBoxSelect: 'combobox', ComboBoxMenuButton: 'combobox', TextFieldWithComboBox: 'combobox', PopUpButton: 'combobox',
  LayoutTable: 'generic', LayoutTableRow: 'generic', LayoutTableCell: 'generic', 'graphics-symbol': 'image', MenuListOption: 'option', MathMLMath: 'math', PluginObject: 'plugin', EmbeddedObject: 'plugin',
};

/** Roles that stand in a snapshot as an element of their own. */
export const PRINTED: ReadonlySet<string> = new Set(
  `button link checkbox radio switch textbox searchbox spinbutton slider combobox listbox option menuitem menuitemcheckbox
  menuitemradio menu menubar tab tablist tabpanel tree treeitem grid gridcell cell row columnheader rowheader table heading image
  banner navigation main complementary contentinfo region search form list listitem group radiogroup dialog alertdialog alert
  status article figure separator progressbar meter summary date colorwell file iframe canvas video audio term definition dl math
  caption legend figcaption tooltip log toolbar feed scrollbar marquee timer note application document`.split(/\s+/),
);

export const KNOWN: readonly (Difference & { reason: string })[] = [];
