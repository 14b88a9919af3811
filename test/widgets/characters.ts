// Characters of one look at each page, and how many elements it offers for an action: Tabwright's forms of a snapshot beside those of the peers.
import { Driver, type Ground } from '../../bench/driver.ts';
import { type Call, PEERS, type Server, TABWRIGHT } from '../../bench/servers.ts';
import { type Pages, pageNames } from './serve.ts';

interface Look {
  name: string;
  server: Server;
  call: Call;
}

interface Size {
  characters: number;
  actionable: number;
}

const snapshot = (args: Record<string, unknown>): Call => ({ tool: 'snapshot', args });

const WHOLE: Look[] = [
  { name: 'Tabwright', server: TABWRIGHT, call: snapshot({}) },
  { name: 'Tabwright, style short', server: TABWRIGHT, call: snapshot({ style: 'short' }) },
  ...PEERS.map(server => ({ name: server.name, server, call: server.readWords ?? server.read })),
];

const CONTROLS: Look[] = [
  { name: 'Tabwright', server: TABWRIGHT, call: snapshot({ mode: 'interactive' }) },
  { name: 'Tabwright, style short', server: TABWRIGHT, call: snapshot({ mode: 'interactive', style: 'short' }) },
  ...PEERS.flatMap(server => (server.readControls ? [{ name: server.name, server, call: server.readControls }] : [])),
];

const REF = /ref=@?f?\d*e\d+|uid=\d+_\d+|^\s*@e\d+ /;
const ROLE =
  /\b(?:button|link|checkbox|radio|switch|textbox|searchbox|spinbutton|slider|combobox|listbox|option|menuitem\w*|tab|treeitem|gridcell)\b/;
/** What the servers say of an element that acts without such a role. */
const MARK = /cursor=pointer|clickable|focusable|draggable|droppable|hoverable|editable|scrollable/;

function measure(text: string): Size {
  const lines = text.split('\n').map(line => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
  const actionable = lines.filter(line => REF.test(line) && (ROLE.test(line) || MARK.test(line))).length;
  return { characters: text.length, actionable };
}

/** The sizes of all pages, by the name of the look. */
async function measureAll(looks: Look[], ground: Ground, pages: Pages): Promise<Map<string, Size[]>> {
  const sizes = new Map<string, Size[]>();
  for (const { name, server, call } of looks) {
    const driver = new Driver(server, ground);
    try {
      await driver.client.initialize();
      const ofPages: Size[] = [];
      for (const page of pageNames) {
        await driver.open(pages.url(page));
        // The first look lets what begins late on the page come up.
        await driver.call(call);
        ofPages.push(measure((await driver.call(call)).text));
      }
      sizes.set(name, ofPages);
    } finally {
      await driver.end();
    }
  }
  return sizes;
}

const sum = (sizes: Size[], key: keyof Size): number => sizes.reduce((all, size) => all + size[key], 0);

/** On the pages where a peer offers at least as many elements: our characters by those of the shortest such peer. */
function ratioWhereAsMany(ours: Size[], peers: Size[][]): string {
  const pairs = ours.flatMap((own, i) => {
    const asMany = peers.map(sizes => sizes[i]!).filter(({ actionable }) => actionable >= Math.max(own.actionable, 1));
    return asMany.length > 0 ? [{ own, best: Math.min(...asMany.map(({ characters }) => characters)) }] : [];
  });
  if (pairs.length === 0) return 'on no page does a peer offer as many';
  const total = pairs.reduce((all, { own, best }) => [all[0]! + own.characters, all[1]! + best], [0, 0]);
  return `${(total[0]! / total[1]!).toFixed(2)} on the ${pairs.length} pages where one offers as many`;
}

function table(title: string, sizes: Map<string, Size[]>): string[] {
  const peers = [...sizes].filter(([name]) => !name.startsWith('Tabwright')).map(([, ofPages]) => ofPages);
  const rows = [...sizes].map(([name, ofPages]) => {
    const characters = sum(ofPages, 'characters');
    const actionable = sum(ofPages, 'actionable');
    const beside = name.startsWith('Tabwright') ? ratioWhereAsMany(ofPages, peers) : '';
    return `| ${name} | ${characters} | ${actionable} | ${(characters / actionable).toFixed(0)} | ${beside} |`;
  });
  return [
    `| ${title} | characters | elements to act on | characters each | × the shortest peer |`,
    '| --- | ---: | ---: | ---: | --- |',
    ...rows,
  ];
}

export async function reportCharacters(ground: Ground, pages: Pages): Promise<string> {
  const whole = await measureAll(WHOLE, ground, pages);
  const controls = await measureAll(CONTROLS, ground, pages);
  return [...table('the whole page', whole), '', ...table('controls only', controls)].join('\n');
}
