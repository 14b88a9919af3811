// Profiles, and the browsers that they run in.
import type { Source } from '../definition.ts';
import type { Args } from '../dialect.ts';
import type { BrowsionMapping, Template } from './template.ts';
import { OK } from './template.ts';

const SETTINGS = [
  ...['name', 'user_data_dir', 'lang', 'proxy_server', 'timezone', 'fingerprint', 'tags', 'custom_args'],
  ...['headless', 'color', 'id', 'description'],
];
const settings = Object.fromEntries(SETTINGS.map(name => [name, name]));
/** An update replaces the whole profile: a setting that is left out is removed. */
const orNone = (name: string): Source => [name, { value: '' }];

const MEMBERS = [...SETTINGS, 'is_running'];
const profileIn = (row: unknown): Args =>
  Object.fromEntries(Object.entries(Object(row)).filter(([name]) => MEMBERS.includes(name)));
const profile: Template = facts => profileIn(facts.profile);
const rowsIn = ({ profiles }: Args): Record<string, unknown>[] => (Array.isArray(profiles) ? profiles : []);

function runIn({ run }: Args): unknown[] {
  if (run === undefined) return [];
  const { profile_id, pid, cdp_port, launched_at } = Object(run);
  return [{ profile_id, pid, cdp_port, launched_at }];
}

/** Without a display the browser runs, but not as the profile asks for. */
function noWindow({ profile }: Args): string[] | undefined {
  const { headless, run } = Object(profile);
  return !headless && run?.headless ? ['There is no display: the browser runs without a window.'] : undefined;
}

const byId = (action: string, id = 'id') => ({ tool: 'profile', constants: { action }, args: { id } });

export const profiles = {
  list_profiles: { tool: 'profile_list', template: facts => rowsIn(facts).map(profileIn) },
  get_profile: { ...byId('get'), template: profile },
  create_profile: { tool: 'profile', constants: { action: 'create' }, args: settings, template: profile },
  update_profile: {
    tool: 'profile',
    constants: { action: 'update' },
    args: {
      ...settings,
      proxy_server: orNone('proxy_server'),
      timezone: orNone('timezone'),
      fingerprint: orNone('fingerprint'),
    },
    template: profile,
  },
  delete_profile: { ...byId('delete'), template: OK },
  launch_browser: {
    ...byId('launch', 'profile_id'),
    template: { pid: 'profile.run.pid', cdp_port: 'profile.run.cdp_port', notes: noWindow },
  },
  kill_browser: { ...byId('kill', 'profile_id'), template: OK },
  get_running_browsers: { tool: 'profile_list', template: facts => rowsIn(facts).flatMap(runIn) },
} as const satisfies Record<string, BrowsionMapping>;
