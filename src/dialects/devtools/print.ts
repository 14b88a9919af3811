// Prints an answer: a title, the text, then sections in a fixed order.
import type { PrintedAnswer } from '../definition.ts';
import type { PageContext } from './page-context.ts';
import { NETWORKS } from './pages.ts';

export const print = ({ tool, notes, text, footer }: PrintedAnswer, context: PageContext): string =>
  [
    `# ${tool} response`,
    ...notes,
    text,
    ...emulation(context),
    ...openDialog(context),
    ...pages(context),
    ...content(context),
    footer,
  ]
    .filter(part => part !== '')
    .join('\n');

const named = (network: string): string =>
  Object.keys(NETWORKS).find(theirs => NETWORKS[theirs] === network) ?? network;

function emulation({ network, navigation, cpu }: PageContext): string[] {
  return [
    ...(network === undefined
      ? []
      : ['## Network emulation', `Emulating: ${named(network)}`, `Default navigation timeout set to ${navigation} ms`]),
    ...(cpu === undefined ? [] : ['## CPU emulation', `Emulating: ${cpu}x slowdown`]),
  ];
}

function openDialog({ dialog }: PageContext): string[] {
  if (!dialog) return [];
  const { type, message, defaultValue } = dialog;
  return [
    '# Open dialog',
    `${type}: ${message} (default value: ${defaultValue}).`,
    'Call handle_dialog to handle it before continuing.',
  ];
}

const pages = ({ pages: list }: PageContext): string[] =>
  list === undefined
    ? []
    : ['## Pages', ...list.map(({ url, selected }, at) => `${at}: ${url}${selected ? ' [selected]' : ''}`)];

const content = ({ content: text, noContent }: PageContext): string[] => {
  if (text !== undefined) return ['## Page content', text];
  return noContent === undefined ? [] : ['## Page content', `There is none: ${noContent}`];
};
