// Tools for profiles: browsers of their own, each with its data, proxy, language and time zone.
import { z } from 'zod';
import { type Caller, isOwner } from '../../session/callers.ts';
import { profileSession } from '../../session/names.ts';
import type { ProfileInfo } from '../../session/profiles/profiles.ts';
import { about, needs, savePath, text } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

const words = text(4_096).optional();
const texts = z.array(text(4_096)).max(100).optional();

const stateOf = ({ run, session }: ProfileInfo): string =>
  run ? `runs (pid ${run.pid}), session "${session}"` : 'stopped';

/** Whoever has the whole address has the browser, and files of this machine: only `profile` tells it. Who is not the owner is not told the port either. */
function toldTo({ id }: Caller, row: ProfileInfo): ProfileInfo {
  if (!row.run) return row;
  const { cdp_url: _url, ...run } = row.run;
  if (isOwner(id)) return { ...row, run };
  const { cdp_port: _port, ...rest } = run;
  return { ...row, run: rest };
}

function profileLine(row: ProfileInfo): string {
  const { id, name, lang, timezone, proxy_server, tags } = row;
  const facts = [
    lang,
    timezone,
    proxy_server && `through ${proxy_server}`,
    tags.length > 0 && `tags ${tags.join(', ')}`,
  ];
  return `${id} ${JSON.stringify(name)}: ${stateOf(row)}; ${facts.filter(Boolean).join(', ')}`;
}

export const profile_list = tool({
  summary: 'List profiles: browsers with data, proxy and language of their own.',
  on: 'server',
  effect: 'read',
  free: true,
  input: {},
  async run({ profiles, sessions }, _input, { caller }) {
    const isSeen = ({ id }: ProfileInfo) => isOwner(caller.id) || sessions.isSharedProfile(profileSession(id));
    return { profiles: (await profiles.list()).filter(isSeen).map(row => toldTo(caller, row)) };
  },
  text: ({ profiles }) => (profiles.length > 0 ? profiles.map(profileLine).join('\n') : 'No profiles.'),
});

const ACTIONS = ['create', 'get', 'update', 'delete', 'launch', 'kill'] as const;

const ID = ['id'];
const NEEDS = { create: ['name'], get: ID, update: ID, delete: ID, launch: ID, kill: ID };

/** A browser may take its time to start, and to save what it holds. */
const MS = 60_000;

/** The words before the profile, and behind it. */
const WORDS: Readonly<Record<(typeof ACTIONS)[number], (row: ProfileInfo) => [string, string]>> = {
  create: () => ['Made ', '.'],
  get: ({ user_data_dir: folder, run }) => [
    '',
    `. Data: ${folder}${run ? `\nFor other programs: ${run.cdp_url}` : ''}`,
  ],
  update: ({ is_running }) => ['Changed ', is_running ? '. It holds from its next launch.' : '.'],
  delete: ({ user_data_dir: folder }) => ['Deleted ', `. Its data stay in ${folder}`],
  launch: ({ headless, run }) => ['Launched ', run?.headless && !headless ? '. No display: without a window.' : '.'],
  kill: () => ['Ended the browser of ', '.'],
};

export const profile = tool({
  summary: 'Manage profiles. A launched one is used with "session": "profile@ID", and runs until kill.',
  example: ['create', 'name=Work'],
  on: 'server',
  ofOwner: true,
  effect: 'danger',
  free: true,
  time: MS,
  input: {
    action: about('All but create need the id', z.enum(ACTIONS)),
    id: about('The profile, as profile_list shows it', marked(z.string().max(4_096), 'profile').optional()),
    name: about('What people call it', words),
    description: about('What it is for', words),
    user_data_dir: about('The folder of its data; one of its own if left out', savePath.optional()),
    proxy_server: about('The proxy that its browser goes through', words),
    lang: about('Its language, such as fr-FR', words),
    timezone: about('Its time zone, such as Europe/Paris', words),
    headless: about('Its browser has no window', z.boolean().optional()),
    fingerprint: about('Passed to a browser that knows --fingerprint', words),
    color: about('A colour to tell it from others', words),
    tags: about('Words to find it by', texts),
    custom_args: about('Further switches of Chrome', texts),
  },
  async run({ profiles }, { action, ...draft }, limits) {
    needs('profile', { action, ...draft }, NEEDS);
    const id = draft.id ?? '';
    const run = {
      create: () => profiles.create(draft),
      get: () => profiles.get(id),
      update: () => profiles.update(id, draft),
      delete: () => profiles.delete(id, limits),
      launch: () => profiles.launch(id, limits),
      kill: () => profiles.kill(id, limits),
    }[action];
    return { profile: await run() };
  },
  text({ profile: row }, { action }) {
    const [before, behind] = WORDS[action](row);
    return `${before}${profileLine(row)}${behind}`;
  },
});
