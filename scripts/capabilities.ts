// The matrix of capabilities: what a reader, a guest and the owner reach by each tool and argument. It follows from the rows of the tools.
import { z } from 'zod';
import { TOOLS } from '../src/tools/index.ts';
import type { AnyTool } from '../src/tools/tool.ts';
import { type ArgumentKind, factsOf } from '../src/tools/touches.ts';

export type ReachingKind = Exclude<ArgumentKind, 'typed' | 'plain'>;

interface Reach {
  what: string;
  guest: string;
  owner: string;
  /** The file of test/ that attacks it. */
  test: string;
}

const WEB =
  'the web as far as the rules for urls allow; no files of the machine, no debugging ports, no metadata of clouds';

/** What the code keeps to, whichever tool has such an argument. */
export const REACH: Readonly<Record<ReachingKind, Reach>> = {
  page: { what: 'a page to open', guest: WEB, owner: WEB, test: 'test/attacks/debugging-ports.test.ts' },
  url: { what: 'another url', guest: WEB, owner: WEB, test: 'test/attacks/url-rules.test.ts' },
  host: {
    what: 'the host of cookies',
    guest: 'the cookies of its own sessions',
    owner: 'the cookies of its own sessions, of the browser that it attaches to and of its profiles',
    test: 'test/attacks/owner-browser.test.ts',
  },
  read: {
    what: 'a file to read',
    guest: 'its own output folder, and below `--upload-dirs`; no files of other callers, nothing of the state folder',
    owner: 'the output folder, and below `--upload-dirs`; nothing else of the state folder',
    test: 'test/attacks/files.test.ts',
  },
  write: {
    what: 'a file to write',
    guest: 'its own output folder',
    owner: 'the output folder',
    test: 'test/attacks/output-folders.test.ts',
  },
  script: {
    what: 'a script',
    guest: 'the pages of its own sessions, with the right to `danger` and without `--no-scripts`',
    owner: 'the same',
    test: 'test/attacks/rights.test.ts',
  },
  session: {
    what: 'a session by name',
    guest: 'its own, and those that others share, as NAME@CALLER',
    owner: 'the same, and `profile@ID`',
    test: 'test/attacks/session-names.test.ts',
  },
  login: { what: 'a saved login', guest: 'its own', owner: 'its own', test: 'test/attacks/saved-logins.test.ts' },
  profile: {
    what: 'a profile by id',
    guest: 'nothing, unless `--shared-sessions` names its session',
    owner: 'all',
    test: 'test/session/profiles/apart.test.ts',
  },
};

export const reachingKinds = Object.keys(REACH) as ReachingKind[];

const isReaching = (kind: ArgumentKind): kind is ReachingKind => kind in REACH;

/** The arguments of a tool by which it reaches something. */
export const reachingArguments = ({ input }: AnyTool): [name: string, kinds: ReachingKind[]][] =>
  Object.entries(factsOf(input).kinds)
    .map(([name, kinds]): [string, ReachingKind[]] => [name, kinds.filter(isReaching)])
    .filter(([, kinds]) => kinds.length > 0);

/** With such an argument a call is more than a read. */
const isMoreThanRead = (kinds: readonly ReachingKind[]): boolean => kinds.includes('script') || kinds.includes('write');

/** Values of arguments with which a tool does more than its effect says. */
export function raisingValues(tool: AnyTool): [name: string, value: unknown][] {
  return Object.entries(tool.input).flatMap(([name, schema]) => {
    const { enum: values = [1] } = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
    const raising = values.filter(value => tool.effectWith?.({ [name]: value }) !== undefined);
    return raising.map((value): [string, unknown] => [name, value]);
  });
}

/** Arguments that a reader may not give to a tool that it may use. */
export const closedToReaders = (tool: AnyTool): string[] => [
  ...reachingArguments(tool).flatMap(([name, kinds]) => (isMoreThanRead(kinds) ? [name] : [])),
  ...raisingValues(tool).map(([name, value]) => (typeof value === 'string' ? `${name}=${value}` : name)),
];

function readers(tool: AnyTool): string {
  if (tool.ofOwner || (tool.effect !== 'read' && tool.on !== 'calls')) return 'refused';
  if (tool.on === 'calls') return 'calls that it may send';
  const closed = [...new Set(closedToReaders(tool))];
  return closed.length === 0 ? 'runs' : `runs without ${closed.map(code).join(', ')}`;
}

/** Whether a tool that only reads has an argument of that kind which a reader may give. */
const isOpenToReaders = (kind: ReachingKind): boolean =>
  kind === 'session' ||
  TOOLS.some(
    tool =>
      tool.effect === 'read' &&
      reachingArguments(tool).some(([, kinds]) => kinds.includes(kind) && !isMoreThanRead(kinds)),
  );

const code = (text: string): string => `\`${text}\``;
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[][]): string => [head, head.map(() => '---'), ...rows].map(row).join('\n');

const WHERE = { tab: 'a tab', session: 'a session', server: 'the server', calls: 'further calls' } as const;

function toolRow(tool: AnyTool): string[] {
  const reaching = reachingArguments(tool).map(([name, kinds]) => `${code(name)} ${kinds.join(', ')}`);
  const others = Object.keys(tool.input).filter(name => !reachingArguments(tool).some(([known]) => known === name));
  return [
    code(tool.name),
    WHERE[tool.on],
    tool.effect,
    reaching.join('; ') || 'none',
    others.map(code).join(' ') || 'none',
    readers(tool),
    tool.ofOwner ? 'refused' : 'runs',
  ];
}

export const capabilitiesPage = (note: string): string =>
  [
    '# Capabilities',
    note,
    "What callers reach. A reader holds a token with `--may read`, a guest one with all rights; the owner is the local user and the holder of the server's own token. Fewer rights, a [policy](policy.md) and [rules for urls](url-rules.md) take more away from each of them. [SECURITY.md](../SECURITY.md) says who is trusted with what.",
    '## By kind of argument',
    'The kind of an argument decides what can be reached by it, in every tool that has such an argument. Arguments of no such kind (numbers, switches, words, what is typed into pages) reach nothing outside of the tab or session that the call is on.',
    table(
      ['kind', 'is', 'a reader reaches', 'a guest reaches', 'the owner reaches', 'attacked by'],
      reachingKinds.map(kind => {
        const { what, guest, owner, test } = REACH[kind];
        return [kind, what, isOpenToReaders(kind) ? guest : 'nothing', guest, owner, code(test)];
      }),
    ),
    'Every tool that is on a tab or a session also takes `session`, of the kind session: a reader names the same sessions as a guest.',
    '## By tool',
    "A reader is refused what changes something; with the arguments that are named here, also what else only reads. A guest runs what is not the owner's alone.",
    table(
      ['tool', 'works on', 'effect', 'arguments that reach something', 'other arguments', 'a reader', 'a guest'],
      TOOLS.map(toolRow),
    ),
  ].join('\n\n');
