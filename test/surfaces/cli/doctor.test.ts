// `tabwright doctor` as it is typed, with browsers that are broken and ports that are taken.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BODIES, fake } from '../../engine/browser/fakes.ts';
import { temporaryFolder } from '../process.ts';
import { type Printed, runCommand } from './command.ts';

interface Row {
  name: string;
  state: string;
  found: string;
  mend?: string;
  steps?: { tool: string; ms: number; saw: string }[];
}

const folder = temporaryFolder();
afterAll(() => folder.remove());

const doctor = (...flags: string[]): Promise<Printed> => runCommand(folder.path, ['doctor', ...flags]);

/** A browser that is not there keeps a run short. */
const NONE = ['--executable-path', '/nonexistent'];

async function json(
  ...flags: string[]
): Promise<{ code: number | null; ok: boolean; row(name: string): Row | undefined }> {
  const { code, stdout } = await doctor('--json', '--port', '0', ...flags);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Row[] };
  return { code, ok, row: name => checks.find(row => row.name === name) };
}

const withFake = (kind: keyof typeof BODIES) => json('--executable-path', fake(folder.path, kind, BODIES[kind]));

/** It takes 10 s, beside the other tests. */
let hanging: ReturnType<typeof json>;
beforeAll(() => {
  hanging = withFake('hanging');
});

describe('a sound machine', () => {
  it('passes, and the page is driven', async () => {
    const { code, ok, row } = await json();
    expect(row('browser')).toMatchObject({ state: 'ok', found: expect.stringMatching(/\d+\.\d+\.\d+\.\d+ at \//) });
    expect(row('page')).toMatchObject({ state: 'ok' });
    expect(row('page')?.steps?.map(({ tool }) => tool)).toEqual([
      'navigate',
      'snapshot',
      'fill',
      'click',
      'snapshot',
      'screenshot',
    ]);
    expect(row('page')?.steps?.at(4)?.saw).toContain('Hello, Ada!');
    expect(row('Node')).toEqual({ name: 'Node', state: 'ok', found: process.versions.node });
    expect({ code, ok }).toEqual({ code: 0, ok: true });
  });

  it('is told in a table, with nothing on stderr', async () => {
    const { code, stdout, stderr } = await doctor('--port', '0');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ok {7}Node {2,}\d/);
    expect(stdout).toMatch(/\nok {7}page {2,}driven in \d+ ms\n +navigate \(\d+ ms\): opened "Tabwright works"\n/);
    expect(stdout).toMatch(/\n\n(All is well|\d+ warnings?)\.\n$/);
    expect(code).toBe(0);
  });
});

describe('the browser', () => {
  it('that is missing is a problem', async () => {
    const { code, ok, row } = await json(...NONE);
    expect(row('browser')).toMatchObject({
      state: 'problem',
      found: '/nonexistent does not exist',
      mend: expect.stringContaining('npx tabwright install'),
    });
    expect(row('page')).toMatchObject({ state: 'problem', found: 'not driven, because no browser starts' });
    expect({ code, ok }).toEqual({ code: 1, ok: false });
  });

  it.each([
    ['failing', /does not start: ended with code 1/],
    ['lacking', /lacks a library that it needs: libnss3\.so/],
    ['hanging', /does not start: did not end within 10 s/],
  ] as const)('that is %s is a problem', async (kind, found) => {
    const { code, row } = await (kind === 'hanging' ? hanging : withFake(kind));
    expect(row('browser')).toMatchObject({ state: 'problem', found: expect.stringMatching(found) });
    expect(code).toBe(1);
  });

  it('that tells its version but drives no page is a problem of the page', async () => {
    const path = fake(folder.path, 'liar', `[ "$1" = --version ] || exit 3\n${BODIES.working}`);
    const { code, row } = await json('--executable-path', path);
    expect(row('browser')).toMatchObject({ state: 'ok' });
    expect(row('page')).toMatchObject({
      state: 'problem',
      found: expect.stringMatching(/^not driven: navigate: .*liar/),
    });
    expect(code).toBe(1);
  });

  it('that is attached to must answer', async () => {
    const { row } = await json('--cdp-endpoint', 'http://127.0.0.1:1');
    expect(row('browser')).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('nothing answers at http://127.0.0.1:1'),
    });
  });
});

describe('the port', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  async function take(next: Server): Promise<string> {
    server = next.listen(0, '127.0.0.1');
    await once(next, 'listening');
    return String((next.address() as AddressInfo).port);
  }

  const portRow = async (taken: string): Promise<Row> => {
    const { stdout } = await doctor('--json', '--port', taken, ...NONE);
    return JSON.parse(stdout).checks.find(({ name }: Row) => name === 'port');
  };

  it('that another program has is a problem, and a free one is named', async () => {
    const taken = await take(createServer(socket => socket.destroy()));
    const row = await portRow(taken);
    expect(row).toMatchObject({ state: 'problem', found: `${taken} of 127.0.0.1 is taken by another program` });
    const [, free] = /^npx tabwright serve --port (\d+)$/.exec(row.mend ?? '') ?? [];
    expect(Number(free)).toBeGreaterThan(Number(taken));
  });

  it('that a Tabwright has is fine', async () => {
    const taken = await take(createHttpServer((_req, res) => void res.end('{"name":"tabwright"}')));
    expect(await portRow(taken)).toMatchObject({
      state: 'ok',
      found: `${taken} of 127.0.0.1: a Tabwright serves there`,
    });
  });

  it('of an address that is not of this machine is a problem', async () => {
    const { stdout } = await doctor('--json', '--host', '192.0.2.1', ...NONE);
    expect(stdout).toContain('this machine has no address 192.0.2.1');
  });
});

it('a bad option is wrong usage', async () => {
  expect(await doctor('--nonsense')).toMatchObject({ code: 2, stdout: '' });
});
