// Whatever several callers do in several sessions, in whatever order: each session holds just what was done in it.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  // Six sessions at once on a busy machine: how long a call takes is not what is tested here.
  kit = await startKit('--timeout-action', '30000');
});
afterAll(() => kit.close());

const CALLERS = ['ann', 'bob', 'cy'] as const;
/** Undefined is the caller's own default session. */
const SESSIONS = ['a@ann', 'b@bob', 'team@ann', undefined] as const;
const OWNERS: Readonly<Record<string, string>> = { 'a@ann': 'ann', 'b@bob': 'bob', 'team@ann': 'ann' };
const PAGES = ['tables.html', 'signup.html', 'article.html'];

type Action =
  | { do: 'store'; key: string; value: string }
  | { do: 'cookie'; key: string; value: string }
  | { do: 'go'; page: string }
  | { do: 'open'; page: string }
  | { do: 'close' };

interface Step {
  caller: (typeof CALLERS)[number];
  session: (typeof SESSIONS)[number];
  action: Action;
}

const word = fc.constantFrom('x', 'y', 'z');
const page = fc.constantFrom(...PAGES);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('store' as const), key: word, value: word }),
  fc.record({ do: fc.constant('cookie' as const), key: word, value: word }),
  fc.record({ do: fc.constant('go' as const), page }),
  fc.record({ do: fc.constant('open' as const), page }),
  fc.record({ do: fc.constant('close' as const) }),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ caller: fc.constantFrom(...CALLERS), session: fc.constantFrom(...SESSIONS), action }),
  { minLength: 12, maxLength: 24 },
);

/** What a session should hold. */
class Model {
  readonly storage = new Map<string, string>();
  readonly cookies = new Map<string, string>();
  tabs: string[] = ['tables.html'];
  /** Which of the tabs is acted on. */
  active = 0;

  /** The call that does it; undefined when there is nothing to do. */
  take(step: Action): [tool: string, args: Record<string, unknown>] {
    const { url } = kit.site;
    switch (step.do) {
      case 'store':
        this.storage.set(step.key, step.value);
        return ['storage', { action: 'set', key: step.key, value: step.value }];
      case 'cookie':
        this.cookies.set(step.key, step.value);
        return ['cookies', { action: 'set', name: step.key, value: step.value }];
      case 'go':
        this.tabs[this.active] = step.page;
        return ['navigate', { url: `${url}/${step.page}` }];
      case 'open':
        this.tabs.push(step.page);
        this.active = this.tabs.length - 1;
        return ['tab_new', { url: `${url}/${step.page}` }];
      case 'close':
        // The last one stays: the storage is looked at through it.
        if (this.tabs.length === 1) return ['title', {}];
        this.tabs.splice(this.active, 1);
        this.active = this.tabs.length - 1;
        return ['tab_close', {}];
    }
  }
}

const keyOf = ({ caller, session }: Pick<Step, 'caller' | 'session'>): string => session ?? `default of ${caller}`;
const mayUse = ({ caller, session }: Pick<Step, 'caller' | 'session'>): boolean =>
  session === undefined || session === 'team@ann' || OWNERS[session] === caller;

async function call(
  { caller, session }: Pick<Step, 'caller' | 'session'>,
  tool: string,
  args: Record<string, unknown>,
) {
  return kit.call(tool, { ...args, ...(session === undefined ? {} : { session }) }, { caller });
}

/** Every session that there is, with somebody who may use it. */
const HOMES: Pick<Step, 'caller' | 'session'>[] = [
  { caller: 'ann', session: 'a@ann' },
  { caller: 'bob', session: 'b@bob' },
  { caller: 'cy', session: 'team@ann' },
  ...CALLERS.map(caller => ({ caller, session: undefined })),
];

async function begin(): Promise<Map<string, Model>> {
  for (const caller of CALLERS) await kit.call('session_close', { all: true }, { caller });
  await kit.call('session_create', { name: 'team', shared: true }, { caller: 'ann' });
  await Promise.all(HOMES.map(home => call(home, 'navigate', { url: `${kit.site.url}/tables.html` })));
  return new Map(HOMES.map(home => [keyOf(home), new Model()]));
}

/** In each session one after the other, beside all other sessions. */
async function play(list: Step[], models: Map<string, Model>): Promise<void> {
  const chains = new Map<string, Promise<void>>();
  for (const step of list) {
    const before = chains.get(keyOf(step)) ?? Promise.resolve();
    chains.set(
      keyOf(step),
      before.then(() => perform(step, models.get(keyOf(step)) as Model)),
    );
  }
  await Promise.all(chains.values());
}

async function perform(step: Step, model: Model): Promise<void> {
  if (mayUse(step)) {
    const [tool, args] = model.take(step.action);
    const { ok, text } = await call(step, tool, args);
    expect(ok, `${JSON.stringify(step)}: ${text}`).toBe(true);
    return;
  }
  const [tool, args] = new Model().take(step.action);
  const { failure } = await call(step, tool, args);
  expect(failure?.message).toBe(`Access denied to session: ${step.session}`);
}

async function check(home: Pick<Step, 'caller' | 'session'>, model: Model): Promise<void> {
  const { data: tabs } = await call(home, 'tab_list', {});
  const seen = (tabs as { tabs: { url: string; active: boolean }[] }).tabs;
  expect(seen.map(({ url }) => url.split('/').at(-1))).toEqual(model.tabs);
  expect(seen.findIndex(tab => tab.active)).toBe(model.active);
  const { data: stored } = await call(home, 'storage', { action: 'entries' });
  expect(new Map((stored as { entries: [string, string][] }).entries)).toEqual(model.storage);
  const { data: jar } = await call(home, 'cookies', { action: 'get_all' });
  const cookies = (jar as { cookies: { name: string; value: string }[] }).cookies;
  expect(new Map(cookies.map(({ name, value }) => [name, value]))).toEqual(model.cookies);
}

it('S3-34: distinct sessions have distinct contexts, and calls in one never change what another sees', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async list => {
      const models = await begin();
      await play(list, models);
      for (const home of HOMES) await check(home, models.get(keyOf(home)) as Model);
      const contexts = kit.server.list().map(({ context }) => context.active?.page.context());
      expect(contexts).toHaveLength(HOMES.length);
      expect(new Set(contexts).size).toBe(HOMES.length);
    }),
    // Each run of the tests draws others. A counterexample is clear as it is; to look for a smaller one takes minutes.
    { numRuns: 2, endOnFailure: true },
  );
}, 240_000);
