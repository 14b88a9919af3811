// Profiles, and the browsers that they run in.
import type { Source } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { type BrowsionRow, place, text } from './row.ts';
import type { Shape } from './shape.ts';

const id = { id: text('Profile, from list_profiles') };
const launched = { profile_id: text('Profile, from list_profiles') };
const list = (description: string, items = { type: 'string' }) => ({
  type: 'array',
  items,
  default: [],
  description,
});

const settings = {
  name: text('What people call it'),
  user_data_dir: text('Folder of its Chrome profile; each profile has its own'),
  lang: { type: 'string', default: 'en-US', description: 'Language that its pages see' },
  proxy_server: text('Proxy, such as http://127.0.0.1:8080 or socks5://host:1080'),
  timezone: text('Time zone that its pages see, such as America/Los_Angeles'),
  fingerprint: text('Seed for browsers that take a --fingerprint'),
  tags: list('Words to find it by'),
  custom_args: list('Further switches for Chrome'),
};
const asGiven = Object.fromEntries(Object.keys(settings).map(name => [name, name]));

/** Members of a profile that the tools do not list, but a program may send with the others. */
const also = {
  description: { type: 'string' },
  headless: { type: 'boolean' },
  color: { type: 'string' },
  is_running: { type: 'boolean' },
  session: { type: 'string' },
  run: { type: 'object' },
};
const further = { headless: 'headless', color: 'color' };
/** Left out, it is taken away: all of the profile is replaced. */
const orNone = (name: string): Source => [name, { value: '' }];

const MEMBERS = [
  ...['id', 'name', 'description', 'user_data_dir', 'proxy_server', 'lang', 'timezone', 'headless'],
  ...['fingerprint', 'color', 'tags', 'custom_args', 'is_running'],
];
const profileIn = (row: unknown): Args =>
  Object.fromEntries(Object.entries(Object(row)).filter(([name]) => MEMBERS.includes(name)));
const profile: Shape = facts => profileIn(facts.profile);
const rowsIn = ({ profiles }: Args): Record<string, unknown>[] => (Array.isArray(profiles) ? profiles : []);

function runIn({ run }: Args): unknown[] {
  if (run === undefined) return [];
  const { profile_id, pid, cdp_port, launched_at } = Object(run);
  return [{ profile_id, pid, cdp_port, launched_at }];
}

export const PROFILES: Readonly<Record<string, BrowsionRow>> = {
  list_profiles: {
    category: 'Profile',
    summary: 'List the profiles: id, name, folder, language, proxy, time zone, tags, and whether each one runs.',
    takes: {},
    at: [place('GET /profiles')],
    cases: [{ to: 'profile_list' }],
    gives: facts => rowsIn(facts).map(profileIn),
  },
  get_profile: {
    category: 'Profile',
    summary: 'Tell all about one profile.',
    takes: id,
    required: ['id'],
    at: [place('GET /profiles/:id')],
    cases: [{ to: 'profile', set: { action: 'get' }, args: { id: 'id' } }],
    gives: profile,
  },
  create_profile: {
    category: 'Profile',
    summary: 'Make a profile: a browser of its own, with cookies, logins and history apart from all others.',
    takes: settings,
    also: { ...also, id: { type: 'string' } },
    required: ['name', 'user_data_dir'],
    at: [place('POST /profiles')],
    status: 201,
    cases: [
      {
        to: 'profile',
        set: { action: 'create' },
        args: { ...asGiven, ...further, id: 'id', description: 'description' },
      },
    ],
    gives: profile,
  },
  update_profile: {
    category: 'Profile',
    summary: 'Replace the settings of a profile. What is left out is taken away: read them with get_profile first.',
    takes: { ...id, ...settings, description: { type: 'string', default: '', description: 'What it is for' } },
    also: Object.fromEntries(Object.entries(also).filter(([name]) => name !== 'description')),
    required: ['id', 'name', 'user_data_dir'],
    at: [place('PUT /profiles/:id')],
    cases: [
      {
        to: 'profile',
        set: { action: 'update' },
        args: {
          ...asGiven,
          ...further,
          id: 'id',
          description: 'description',
          proxy_server: orNone('proxy_server'),
          timezone: orNone('timezone'),
          fingerprint: orNone('fingerprint'),
        },
      },
    ],
    gives: profile,
  },
  delete_profile: {
    category: 'Profile',
    summary: 'Delete a profile that does not run. Its folder stays on the disk.',
    takes: id,
    required: ['id'],
    at: [place('DELETE /profiles/:id')],
    status: 204,
    cases: [{ to: 'profile', set: { action: 'delete' }, args: { id: 'id' } }],
    gives: { ok: true },
  },
  launch_browser: {
    category: 'Lifecycle',
    summary: 'Start the browser of a profile. It must not run already.',
    takes: launched,
    required: ['profile_id'],
    at: [place('POST /launch/:profile_id')],
    cases: [{ to: 'profile', set: { action: 'launch' }, args: { id: 'profile_id' } }],
    gives: { pid: 'profile.run.pid', cdp_port: 'profile.run.cdp_port' },
  },
  kill_browser: {
    category: 'Lifecycle',
    summary: 'End the browser of a profile with all its tabs.',
    takes: launched,
    required: ['profile_id'],
    at: [place('POST /kill/:profile_id')],
    status: 204,
    cases: [{ to: 'profile', set: { action: 'kill' }, args: { id: 'profile_id' } }],
    gives: { ok: true },
  },
  get_running_browsers: {
    category: 'Lifecycle',
    summary: 'List the browsers that run, with process id, debugging port and start time.',
    takes: {},
    at: [place('GET /running')],
    cases: [{ to: 'profile_list' }],
    gives: facts => rowsIn(facts).flatMap(runIn),
  },
};
