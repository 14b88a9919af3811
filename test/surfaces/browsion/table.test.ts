// All 73 tools with their effect in a real browser: over plain HTTP in every spelling, and some over MCP by the built command.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API } from '../../../src/dialects/browsion/routes.ts';
import { SEED_TOOLS } from '../../dialects/browsion-tools.ts';
import { type Case, runCase, type Scene, withProfile } from './case.ts';
import { ACTING } from './cases-acting.ts';
import { PROFILES } from './cases-profiles.ts';
import { SEEING } from './cases-seeing.ts';
import { type Lab, startLab } from './lab.ts';
import { type Args, type Bridge, overHttp, overMcp, Service } from './service.ts';

const CASES: readonly Case[] = [...PROFILES, ...ACTING, ...SEEING];
const places = CASES.flatMap(one =>
  API[one.tool]!.routes.map(({ method, path }, at) => ({ ...one, at, method, path })),
);

/**
 * The bridge sends each tool to its first place: of those that it writes and reads the same way (method, path, status, picture), three.
 * That it has all 73 is told by its list here, and by start.test.ts, which calls each of them.
 */
const bridged = CASES.filter((one, at) => {
  const way = ({ tool }: Case): string => {
    const { routes, status, picture } = API[tool]!;
    return JSON.stringify([routes[0].method, routes[0].path.match(/:\w+/g), status, picture]);
  };
  return CASES.slice(0, at).filter(other => way(other) === way(one)).length < 3;
});

let service: Service;
let lab: Lab;
let bridge: Bridge;
let scene: Scene;

beforeAll(async () => {
  lab = await startLab();
  service = await new Service().ready();
  await service.launch('main');
  mkdirSync(join(service.state, 'output'), { recursive: true });
  bridge = await overMcp(service);
  const send = overHttp(service);
  const call = async (tool: string, args: Args = {}) => {
    const told = await send(tool, withProfile(tool, args));
    if (!told.ok) throw new Error(`${tool}: ${JSON.stringify(told.body)}`);
    return told.body;
  };
  scene = {
    lab,
    folder: join(service.state, 'output'),
    call,
    js: async expression => Object(await call('evaluate_js', { expression })).result,
    async ref(name) {
      const tree = (await call('get_ax_tree')) as { ref_id: string; name: string }[];
      return tree.find(node => node.name === name)?.ref_id ?? '';
    },
  };
}, 60_000);
afterAll(async () => {
  await bridge?.client.close();
  await service?.stop();
  lab?.close();
});

it('S4-02 there is a case for every tool', () => {
  const tried = new Set(CASES.map(({ tool }) => tool));
  expect(SEED_TOOLS.map(({ name }) => name).filter(name => !tried.has(name))).toEqual([]);
  console.log(`${tried.size} tools, ${places.length} places over HTTP, ${bridged.length} cases over MCP`);
});

describe('over plain HTTP', () => {
  it.each(places)('$id $tool: $method $path', one => runCase(one, scene, overHttp(service, one.at)), 60_000);
});

describe('S4-01 S4-22 over MCP on stdio', () => {
  it('lists them all', async () => {
    const { tools } = await bridge.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(SEED_TOOLS.map(({ name }) => name));
    expect(bridge.client.getServerVersion()?.name).toBe('browsion-mcp');
  });

  it.each(bridged)('$id $tool', one => runCase(one, scene, bridge.send), 60_000);
});
