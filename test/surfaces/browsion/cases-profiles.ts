// Cases of the tools for profiles and their browsers.
import { expect } from 'vitest';
import type { Case, Scene } from './case.ts';
import { FLAGS } from './service.ts';

const SPARE = 'spare';
const spare = {
  id: SPARE,
  name: 'Spare',
  user_data_dir: '~/chrome/spare',
  headless: true,
  custom_args: FLAGS,
  tags: ['work'],
};
const create = ({ call }: Scene) => call('create_profile', spare);
const remove = ({ call }: Scene) => call('delete_profile', { id: SPARE }) as Promise<void>;
const launch = async (scene: Scene) => {
  await create(scene);
  await scene.call('launch_browser', { profile_id: SPARE });
};
const kill = async (scene: Scene) => {
  await scene.call('kill_browser', { profile_id: SPARE });
  await remove(scene);
};
const has = (members: object) => expect.objectContaining(members);
const isThere = async ({ call }: Scene, id: string) =>
  ((await call('list_profiles')) as { id: string }[]).some(one => one.id === id);
const run = {
  profile_id: SPARE,
  pid: expect.any(Number),
  cdp_port: expect.any(Number),
  launched_at: expect.any(Number),
};

export const PROFILES: readonly Case[] = [
  {
    id: 'S4-30',
    tool: 'list_profiles',
    page: null,
    gives: [
      has({
        id: 'main',
        name: 'main',
        lang: 'en-US',
        description: '',
        tags: [],
        is_running: true,
        user_data_dir: expect.any(String),
      }),
    ],
  },
  { id: 'S4-31', tool: 'get_profile', page: null, args: { id: 'main' }, gives: has({ id: 'main', is_running: true }) },
  {
    id: 'S4-32',
    tool: 'create_profile',
    page: null,
    args: { name: 'New', user_data_dir: '~/chrome/new', lang: 'fr-FR', timezone: 'Europe/Paris', tags: ['x'] },
    gives: has({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'New',
      lang: 'fr-FR',
      timezone: 'Europe/Paris',
      tags: ['x'],
    }),
    after: ({ call }, { body }) => call('delete_profile', { id: Object(body).id }) as Promise<void>,
  },
  {
    id: 'S4-33',
    tool: 'update_profile',
    page: null,
    first: create,
    args: { id: SPARE, name: 'Other', user_data_dir: '~/chrome/spare', description: 'Changed' },
    gives: has({ id: SPARE, name: 'Other', description: 'Changed', lang: 'en-US', tags: [], custom_args: [] }),
    after: remove,
  },
  {
    id: 'S4-34',
    tool: 'delete_profile',
    page: null,
    first: create,
    args: { id: SPARE },
    gives: { ok: true },
    after: async scene => expect(await isThere(scene, SPARE)).toBe(false),
  },
  {
    id: 'S4-35',
    tool: 'launch_browser',
    page: null,
    first: create,
    args: { profile_id: SPARE },
    gives: { pid: expect.any(Number), cdp_port: expect.any(Number) },
    async after(scene) {
      expect(await scene.call('list_tabs', { profile_id: SPARE })).toEqual([has({ type: 'page' })]);
      await kill(scene);
    },
  },
  {
    id: 'S4-36',
    tool: 'kill_browser',
    page: null,
    first: launch,
    args: { profile_id: SPARE },
    gives: { ok: true },
    async after(scene) {
      expect(await scene.call('get_profile', { id: SPARE })).toMatchObject({ is_running: false });
      await remove(scene);
    },
  },
  {
    id: 'S4-37',
    tool: 'get_running_browsers',
    page: null,
    first: launch,
    gives: expect.arrayContaining([run, { ...run, profile_id: 'main' }]),
    after: kill,
  },
];
