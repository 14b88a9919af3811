// The matrix of capabilities, cell by cell: for every tool and argument that reaches something, calls of a reader and a guest that must fail.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closedToReaders, REACH, raisingValues, reachingArguments, reachingKinds } from '../../scripts/capabilities.ts';
import type { Result } from '../../src/call/call.ts';
import { TOOLS } from '../../src/tools/index.ts';
import type { AnyTool } from '../../src/tools/tool.ts';
import { touchesOf } from '../../src/tools/touches.ts';
import { type Kit, startKit } from '../kit.ts';

type Args = Record<string, unknown>;

const BANK = 'https://bank.example/';

let kit: Kit;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabwright-matrix-'));
  const policy = join(folder, 'policy.json');
  const rules = [{ name: 'no bank', decision: 'deny', caller: 'guest', url: 'bank.example' }];
  writeFileSync(policy, JSON.stringify({ rules }));
  kit = await startKit('--policy', policy);
  const { outputDir, stateDir } = kit.server.options;
  mkdirSync(join(stateDir, 'auth'), { recursive: true });
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(join(stateDir, 'token'), 'the token');
  writeFileSync(join(outputDir, 'kept.txt'), 'kept');
  writeFileSync(
    join(stateDir, 'auth', 'bank.json'),
    JSON.stringify({ version: 1, saved: '', cookies: [], origins: [{ origin: BANK, local: [], session: [] }] }),
  );
  await kit.ok('session_create', { name: 'work' });
  for (const caller of ['local', 'guest', 'reader'])
    await kit.call('navigate', { url: `${kit.site.url}/upload.html` }, { caller });
});
afterAll(async () => {
  await kit.close();
  rmSync(folder, { recursive: true });
});

const asReader = (name: string, args: Args): Promise<Result> =>
  kit.call(name, args, { caller: 'reader', may: { effects: ['read'] } });
const asGuest = (name: string, args: Args): Promise<Result> => kit.call(name, args, { caller: 'guest' });

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minimum?: number;
}

/** A value that fits the schema, as small as can be. */
function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {});
  switch (schema.type) {
    case 'string':
      return 'example';
    case 'integer':
    case 'number':
      return schema.minimum !== undefined && schema.minimum > 0 ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [sample(schema.items ?? {})];
    case 'object':
      return Object.fromEntries((schema.required ?? []).map(key => [key, sample(schema.properties?.[key] ?? {})]));
    default:
      return 'example';
  }
}

const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Arguments with which the tool could be called: what it needs, one of each choice, and the given ones. */
function argsFor(tool: AnyTool, given: Args = {}): Args {
  const { properties = {}, required = [] } = schemaOf(z.object(tool.input));
  const chosen = (tool.oneOf ?? []).flatMap(names => (names.some(name => name in given) ? [] : [names[0] ?? '']));
  const needed = [...required, ...chosen].filter(name => !(name in given));
  const args = { ...Object.fromEntries(needed.map(name => [name, sample(properties[name] ?? {})])), ...given };
  const parsed = z.strictObject(tool.input).safeParse(args);
  if (!parsed.success) throw new Error(`${tool.name} ${JSON.stringify(args)}: ${parsed.error.message}`);
  return args;
}

type Kind = (typeof reachingKinds)[number];

/** Where a value of that kind is found again by those who judge the call. */
const FOUND: Partial<Record<Kind, 'urls' | 'hosts' | 'reads' | 'writes' | 'scripts'>> = {
  page: 'urls',
  url: 'urls',
  host: 'hosts',
  read: 'reads',
  write: 'writes',
  script: 'scripts',
};

/** Itself, in a list, the file of a form, a file to fetch, the url of a change, the body of an answer. */
const FORMS: ((value: unknown) => unknown)[] = [
  value => value,
  value => [value],
  value => ({ file: { path: value } }),
  value => [{ url: value }],
  value => ({ url: value }),
  value => ({ body: value }),
];

/** A value that any argument of that kind takes. */
const probeOf = (kind: Kind): string => (kind === 'page' || kind === 'url' ? 'https://probe.example/' : 'probe');

/** The form in which the argument takes a value of that kind. */
function formOf({ name: tool, input }: AnyTool, name: string, kind: Kind): (value: unknown) => unknown {
  const probe = probeOf(kind);
  const slot = FOUND[kind];
  const form = FORMS.find(make => {
    const given = (input[name] as z.ZodType).safeParse(make(probe));
    return given.success && (!slot || touchesOf(input, { [name]: given.data })[slot].includes(probe));
  });
  if (!form) throw new Error(`${tool}.${name} takes nothing of the kind ${kind}`);
  return form;
}

const having = (kind: Kind): [AnyTool, string][] =>
  TOOLS.flatMap(tool =>
    reachingArguments(tool).flatMap(([name, kinds]): [AnyTool, string][] =>
      kinds.includes(kind) ? [[tool, name]] : [],
    ),
  );

/** Actions that use such an argument. */
const ACTION: Readonly<Record<string, Args>> = {
  route: { action: 'add', handler: 'continue' },
  record: { action: 'stop' },
  bookmarks: { action: 'add' },
};

/** Every way to give a value to an argument of that kind. */
const attempts = (kind: Kind, value: unknown): [AnyTool, Args][] =>
  having(kind).map(([tool, name]) => {
    const form = formOf(tool, name, kind);
    return [tool, { ...argsFor(tool, { ...ACTION[tool.name], [name]: form(probeOf(kind)) }), [name]: form(value) }];
  });

describe('capabilities of a reader', () => {
  it('is refused every tool that changes something', async () => {
    for (const tool of TOOLS.filter(({ effect, on }) => effect !== 'read' && on !== 'calls')) {
      const { failure } = await asReader(tool.name, argsFor(tool));
      expect([tool.name, failure?.code]).toEqual([tool.name, 'refused']);
    }
  });

  it('is refused scripts, files and other writes by arguments of tools that read', async () => {
    const tried: string[] = [];
    for (const tool of TOOLS.filter(({ effect }) => effect === 'read')) {
      const closed = reachingArguments(tool).flatMap(([name, kinds]): [string, unknown][] =>
        kinds
          .filter(kind => kind === 'script' || kind === 'write')
          .map(kind => [name, formOf(tool, name, kind)('example')]),
      );
      for (const [name, value] of [...closed, ...raisingValues(tool)]) {
        const { failure } = await asReader(tool.name, argsFor(tool, { [name]: value }));
        expect([tool.name, name, failure?.rule]).toEqual([tool.name, name, 'permissions of reader']);
        tried.push(`${tool.name}.${name}`);
      }
      expect(closedToReaders(tool).length).toBe(closed.length + raisingValues(tool).length);
    }
    expect(tried).toEqual(expect.arrayContaining(['wait.function', 'snapshot.save_path', 'record.action']));
    expect(existsSync(join(kit.server.options.outputDir, 'callers', 'reader'))).toBe(false);
  });
});

describe('capabilities of a guest', () => {
  const failing = async (calls: [AnyTool, Args][], isRight: (result: Result) => boolean): Promise<string[]> => {
    const wrong: string[] = [];
    for (const [tool, args] of calls) {
      const result = await asGuest(tool.name, args);
      if (!isRight(result)) wrong.push(`${tool.name} ${JSON.stringify(args)}: ${result.text}`);
    }
    return wrong;
  };
  const isRefused = ({ failure }: Result): boolean => failure?.code === 'refused';

  it('every argument that names a url or a host is held to the rules', async () => {
    const urls = (['page', 'url'] as const).flatMap(kind => attempts(kind, BANK));
    const hosts = attempts('host', 'bank.example');
    expect(await failing([...urls, ...hosts], ({ failure }) => failure?.rule === 'no bank')).toEqual([]);
  });

  it('every argument that names a page or something to fetch leads to no file of the machine', async () => {
    const files = [...attempts('page', 'file:///etc/passwd'), ...attempts('url', 'file:///etc/passwd')];
    // The pattern of a route is compared with urls only.
    const isClosed = ({ failure, tool }: Result) => failure !== undefined || tool === 'route';
    expect(await failing(files, isClosed)).toEqual([]);
    expect((await asGuest('tab_list', {})).text).not.toContain('file:');
  });

  it('every argument that names a file to read reads none of the owner and of the server', async () => {
    const { outputDir, stateDir } = kit.server.options;
    for (const path of [join(outputDir, 'kept.txt'), join(stateDir, 'token'), '/etc/passwd', '../../kept.txt'])
      expect(await failing(attempts('read', path), isRefused)).toEqual([]);
  });

  it('every argument that names a file to write replaces none of the owner', async () => {
    await asGuest('record', { action: 'start' });
    const kept = join(kit.server.options.outputDir, 'kept.txt');
    for (const path of [kept, '../../kept.txt', join(folder, 'new.txt')])
      expect(await failing(attempts('write', path), isRefused)).toEqual([]);
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  });

  it('every tool on a tab or a session refuses the session of the owner, and that of a profile', async () => {
    const on = TOOLS.filter(tool => tool.on === 'tab' || tool.on === 'session');
    const named = (session: string) => on.map((tool): [AnyTool, Args] => [tool, { ...argsFor(tool), session }]);
    const isClosed = ({ failure }: Result) => failure?.code === 'refused' || failure?.code === 'no_session';
    for (const name of ['work@local', 'default@local', 'profile@bank'])
      expect(await failing([...named(name), ...attempts('session', name)], isClosed)).toEqual([]);
  });

  it('every argument that names a login or a profile finds none of the owner', async () => {
    for (const action of ['load', 'delete']) {
      const logins = having('login').map(([tool, name]): [AnyTool, Args] => [tool, { action, [name]: 'bank' }]);
      expect(await failing(logins, ({ failure }) => failure?.code === 'not_found')).toEqual([]);
    }
    expect(await failing(attempts('profile', 'bank'), isRefused)).toEqual([]);
  });

  it('what is for the owner alone is refused', async () => {
    const tools = TOOLS.filter(({ ofOwner }) => ofOwner).map((tool): [AnyTool, Args] => [tool, argsFor(tool)]);
    expect(tools.length).toBeGreaterThan(0);
    expect(await failing(tools, ({ failure }) => failure?.rule === 'only for the owner')).toEqual([]);
  });
});

it('the owner reads no secret of the server either, and every cell names a test that attacks it', async () => {
  for (const [tool, args] of attempts('read', join(kit.server.options.stateDir, 'token')))
    expect([tool.name, (await kit.call(tool.name, args)).failure?.code]).toEqual([tool.name, 'refused']);
  expect(reachingKinds.filter(kind => !existsSync(REACH[kind].test))).toEqual([]);
});

it('without scripts, every argument that takes one is refused', async () => {
  const strict = await startKit('--no-scripts');
  try {
    for (const [tool, args] of attempts('script', '() => 1'))
      expect([tool.name, (await strict.call(tool.name, args)).failure?.rule]).toEqual([tool.name, 'no scripts']);
  } finally {
    await strict.close();
  }
});
