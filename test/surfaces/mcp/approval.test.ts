// Human in the loop: rules that ask, with real clients that can be asked and that cannot, over stdio and HTTP.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../agents.ts';
import { Served } from '../http/served.ts';
import { type Message, MODERN, Process, temporaryFolder } from '../process.ts';
import { ASKERS, type Asker, overSse, type Person, type Said, type Where } from './askers.ts';

const folder = temporaryFolder();
const policy = join(folder.path, 'policy.yaml');
const RULE = 'logins-need-a-yes';
const RULES = `rules:
  - name: ${RULE}
    decision: ask
    tool: auth_state
  - name: scripts-need-a-yes
    decision: ask
    tool: evaluate
`;

beforeAll(() => writeFileSync(policy, RULES));
afterAll(() => folder.remove());

const texts = ({ content }: Awaited<ReturnType<Agent['call']>>) => content.map(({ text }) => text).join('\n');

async function withAgent<T>(
  connect: Asker,
  where: Where,
  person: Person | undefined,
  use: (agent: Agent) => Promise<T>,
) {
  const agent = await connect(where, person);
  return use(agent).finally(() => agent.close());
}

/** Accept, decline, cancel, and a client that cannot be asked. */
async function checkAll(connect: Asker, where: Where): Promise<void> {
  const list = { action: 'list' };
  const questions: string[] = [];
  let says: Said = 'accept';
  const person: Person = question => {
    questions.push(question);
    return says;
  };
  await withAgent(connect, where, person, async agent => {
    expect(texts(await agent.call('auth_state', list))).toBe('No login is saved.');
    // What no rule asks about is not asked about.
    expect(texts(await agent.call('downloads'))).toBe('No downloads.');
    // Each call is asked about anew.
    says = 'decline';
    const declined = await agent.call('auth_state', list);
    expect(declined.isError).toBe(true);
    expect(texts(declined)).toContain(
      `auth_state was not run: a person did not agree (rule "${RULE}" wants approval).`,
    );
    says = 'cancel';
    const cancelled = await agent.call('auth_state', list);
    expect(cancelled.isError).toBe(true);
    expect(texts(cancelled)).toContain(`auth_state was not run: nobody answered the question (rule "${RULE}"`);
  });
  expect(questions).toHaveLength(3);
  expect(questions[0]).toMatch(
    new RegExp(`^Allow auth_state\\?\nWith: \\{"action":"list"\\}\nAsked for by: \\S+\nRule: ${RULE}$`),
  );
  await withAgent(connect, where, undefined, async agent => {
    const answer = await agent.call('auth_state', list);
    expect(answer.isError).toBe(true);
    expect(texts(answer)).toContain(`rule "${RULE}" wants a person to approve it, and this client cannot be asked`);
    expect((await agent.call('downloads')).isError).toBeFalsy();
  });
}

describe.each(Object.entries(ASKERS))('%s', (_name, connect) => {
  it('over stdio: runs a call after a yes, and only then', () =>
    checkAll(connect, { stateDir: folder.path, flags: ['--policy', policy] }));

  it('over stdio: does not count the time of a person against the call', () =>
    withAgent(
      connect,
      { stateDir: folder.path, flags: ['--policy', policy, '--timeout-call', '1000'] },
      () => new Promise(resolve => setTimeout(resolve, 1_300, 'accept')),
      async agent => {
        expect(texts(await agent.call('auth_state', { action: 'list' }))).toBe('No login is saved.');
      },
    ));
});

describe('over HTTP', () => {
  let served: Served;
  beforeAll(async () => {
    served = await new Served(folder.path, '--policy', policy).ready();
  });
  afterAll(() => served.kill('SIGTERM'));

  it.each([...Object.entries(ASKERS), ['first generation, over SSE', overSse] as const])(
    '%s: runs a call after a yes, and only then',
    (_name, connect) => checkAll(connect, { url: served.url, token: served.token }),
  );
});

it('asks about the page that a script would run in, and writes all of it to the journal (S3-31)', async () => {
  const stateDir = join(folder.path, 'with-page');
  const questions: string[] = [];
  const person: Person = question => {
    questions.push(question);
    return 'accept';
  };
  await withAgent(
    ASKERS['second generation, newest revision']!,
    { stateDir, flags: ['--policy', policy] },
    person,
    async agent => {
      await agent.ok('navigate', { url: 'data:text/html,<title>Here</title>' });
      expect(await agent.ok('evaluate', { expression: 'document.title' })).toContain('Here');
    },
  );
  expect(questions[0]).toContain(
    'Allow evaluate on data:text/html,<title>Here</title>?\nWith: {"expression":"document.title"}',
  );
  const records = readFileSync(join(stateDir, 'journal', 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(records.map(({ tool, caller, ok, rule, approval }) => [tool, caller, ok, rule, approval])).toEqual([
    ['navigate', 'local', true, undefined, undefined],
    ['evaluate', 'local', false, 'scripts-need-a-yes', 'asked'],
    ['evaluate', 'local', true, 'scripts-need-a-yes', 'approved'],
  ]);
});

describe('on the wire of 2026-07-28', () => {
  const _meta = { ...MODERN, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const yes = { inputResponses: { approval: { action: 'accept', content: {} } } };
  let server: Process;
  beforeAll(() => {
    server = new Process(['--policy', policy], folder.path);
  });
  afterAll(() => server.endInput());

  const call = async (more: object = {}, args: object = { action: 'list' }, name = 'auth_state'): Promise<Message> =>
    server.request('tools/call', { name, arguments: args, _meta, ...more });
  const question = ({ result }: Message) => {
    expect(result).toMatchObject({ resultType: 'input_required' });
    return String(result?.requestState);
  };

  it('a question is an answer that wants to be answered', async () => {
    const { result } = await call();
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        approval: {
          method: 'elicitation/create',
          params: {
            message: expect.stringContaining('Rule: logins-need-a-yes'),
            requestedSchema: { type: 'object', properties: {} },
          },
        },
      },
      requestState: expect.stringMatching(/^[\w-]{32}$/),
    });
  });

  it('a yes counts once', async () => {
    const requestState = question(await call());
    expect((await call({ ...yes, requestState })).result?.content).toEqual([
      { type: 'text', text: 'No login is saved.' },
    ]);
    expect(question(await call({ ...yes, requestState }))).not.toBe(requestState);
  });

  it.each([
    [
      'a made-up state',
      (state: string) => ({ ...yes, requestState: `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}` }),
    ],
    ['no state', () => yes],
    ['no answer', (state: string) => ({ requestState: state })],
    [
      'an answer to something else',
      (state: string) => ({ requestState: state, inputResponses: { other: { action: 'accept' } } }),
    ],
    [
      'a wrapped answer',
      (state: string) => ({
        requestState: state,
        inputResponses: { approval: { method: 'x', result: { action: 'accept' } } },
      }),
    ],
  ])('%s is no approval', async (_name, more) => {
    question(await call(more(question(await call()))));
  });

  it('a state that is no text is refused', async () => {
    expect((await call({ ...yes, requestState: { id: 1 } })).error?.code).toBe(-32_602);
  });

  it('a yes to one call is no yes to another', async () => {
    const state = question(await call());
    question(await call({ ...yes, requestState: state }, { action: 'delete', name: 'x' }));
    const other = question(await call());
    question(await call({ ...yes, requestState: other }, { expression: '1' }, 'evaluate'));
  });
});
