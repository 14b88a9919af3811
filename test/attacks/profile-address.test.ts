// Another program of this machine, of any user, that knows the port of a profile: with the browser it could read any file of the owner.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CdpConnection } from '../../src/cdp/connection.ts';
import { WebSocketClient } from '../../src/cdp/websocket-client.ts';
import { openSocket } from '../../src/engine/browser/attach/socket.ts';
import type { ProfileInfo } from '../../src/session/profiles/profiles.ts';
import { type Kit, startKit } from '../kit.ts';
import { endAll, recordsIn } from '../session/profiles/browsers.ts';

const PATHS = [
  ...['/', '/json', '/json/version', '/json/version/', '/json/list', '/json/protocol', '/json/new?about:blank'],
  ...['/devtools/browser', '/devtools/browser/', '/devtools/page/1', '/devtools/inspector.html'],
];
const SECRET = 'Secret of the owner';

let kit: Kit;
let row: ProfileInfo;
let port: number;
beforeAll(async () => {
  kit = await startKit('--shared-sessions', 'profile@work');
  await kit.ok('profile', { action: 'create', id: 'work', name: 'Work' });
  const { data } = await kit.call('profile', { action: 'launch', id: 'work' });
  row = (data as { profile: ProfileInfo }).profile;
  port = row.run?.cdp_port ?? 0;
}, 60_000);
afterAll(async () => {
  await kit.server.close();
  await endAll(join(kit.folder, 'state'));
  await kit.close();
});

const address = () => row.run?.cdp_url ?? '';
const soon = () => AbortSignal.timeout(10_000);

/** The status of the answer; undefined when there is none. */
function statusOf(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise(resolve => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', () => resolve(undefined)).end();
  });
}

async function opens(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  const socket = await WebSocketClient.open(url, headers, soon()).catch(() => undefined); // refused
  socket?.close();
  return socket !== undefined;
}

describe('15.2 who knows only the port of a profile', () => {
  it('gets no answer over HTTP', async () => {
    const answers = await Promise.all(
      PATHS.flatMap(path => ['GET', 'PUT', 'POST', 'OPTIONS'].map(method => statusOf(path, method))),
    );
    expect(answers.filter(status => status !== undefined)).toEqual([]);
  });

  it('opens and reads no file', async () => {
    const file = join(kit.folder, 'secret.html');
    writeFileSync(file, `<title>${SECRET}</title>`);
    await statusOf(`/json/new?${pathToFileURL(file).href}`, 'PUT');
    const told = await new Promise<string>(resolve => {
      const asked = get({ host: '127.0.0.1', port, path: '/json/version', agent: false }, answer => {
        answer.setEncoding('utf8').once('data', resolve);
      });
      asked.on('error', () => resolve('{}'));
    });
    expect(JSON.parse(told)).toEqual({});
    const line = new CdpConnection(await openSocket(address(), soon()));
    const { targetInfos } = await line.root.send('Target.getTargets');
    line.close();
    expect(targetInfos.map(({ url }) => url).filter(url => url.startsWith('file:'))).toEqual([]);
  });

  it('opens no WebSocket without the secret, with a wrong one, or with a part of it', async () => {
    const root = `ws://127.0.0.1:${port}`;
    const right = new URL(address()).pathname;
    const wrong = [...PATHS, '/devtools/browser/x', `${right}x`, `${right}/`, `/${right}`, right.slice(0, -1)];
    const more = [
      `${right}?x`,
      right.toUpperCase(),
      right.replace('/devtools', ''),

      `${right}/json/list`,
    ];
    for (const path of [...wrong, ...more]) expect(await opens(root + path), path).toBe(false);
  });

  it('makes it answer by no request that is none', async () => {
    for (const text of ['\0\0\0\0\r\n\r\n', 'GET / HTTP/9\r\n\r\n', `GET /${'x'.repeat(1e5)} HTTP/1.1\r\n\r\n`]) {
      const said = await new Promise<string>(resolve => {
        let heard = '';
        const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(text));
        socket.on('data', chunk => {
          heard += chunk;
        });
        socket.on('error', () => undefined).on('close', () => resolve(heard));
      });
      expect(said).toBe('');
    }
  });
});

describe('15.2 who knows the whole address of a profile', () => {
  it('has the browser, by HTTP too', async () => {
    const line = new CdpConnection(await openSocket(address(), soon()));
    expect((await line.root.send('Browser.getVersion')).product).toMatch(/Chrom/);
    line.close();
    const list = `${new URL(address()).pathname}/json/list`;
    expect(await statusOf(list)).toBe(200);
    expect(await statusOf(list, 'GET', { host: 'localhost' })).toBe(200);
  });

  it('is refused as a page, and by a name that only leads here', async () => {
    const list = `${new URL(address()).pathname}/json/list`;
    for (const headers of [
      { origin: 'http://127.0.0.1' },
      { origin: `http://127.0.0.1:${port}` },
      { origin: 'null' },
      { origin: '' },
      { host: 'rebound.test' },
      { host: `rebound.test:${port}` },
      { host: `127.0.0.1.rebound.test:${port}` },
    ] as Record<string, string>[]) {
      expect(await opens(address(), headers), JSON.stringify(headers)).toBe(false);
      expect(await statusOf(list, 'GET', headers), JSON.stringify(headers)).toBeUndefined();
    }
  });

  it('is refused as a page of a real browser', async () => {
    await kit.open('/signup.html');
    for (const session of ['default', 'profile@work']) {
      const { data } = await kit.call('evaluate', {
        session,
        expression: `new Promise(resolve => {
          const socket = new WebSocket(${JSON.stringify(address())});
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        })`,
      });
      expect(data).toMatchObject({ value: 'refused' });
    }
  });
});

describe('15.2 the address of a profile', () => {
  it('has 256 random bits, and is in one file that nobody else reads', () => {
    const [record] = recordsIn(join(kit.folder, 'state'));
    const [, secret = ''] = /\/devtools\/browser\/([\w-]+)$/.exec(address()) ?? [];
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(record?.url).toBe(address());
    expect(statSync(record?.path ?? '').mode & 0o777).toBe(0o600);
    const seen = ['cmdline', 'environ'].map(name => readFileSync(`/proc/${row.run?.pid}/${name}`, 'utf8'));
    expect(seen.join()).not.toContain(secret);
  });

  it('is told to the owner who asks for the profile, and to nobody else', async () => {
    expect(await kit.ok('profile', { action: 'get', id: 'work' })).toContain(`For other programs: ${address()}`);
    const secret = address().slice(-20);
    const asReader = { may: { effects: ['read' as const] } };
    for (const [name, args, more] of [
      ['profile_list', {}, {}],
      ['profile_list', {}, { caller: 'guest' }],
      ['profile', { action: 'get', id: 'work' }, { caller: 'guest' }],
      ['profile', { action: 'get', id: 'work' }, asReader],
      ['session_list', {}, { caller: 'guest' }],
      ['tab_list', { session: 'profile@work' }, { caller: 'guest' }],
    ] as const) {
      const { text, data } = await kit.call(name, args, more);
      expect(text + JSON.stringify(data), name).not.toContain(secret);
    }
  });

  it('is not told when the browser does not answer', async () => {
    const other = await startKit('--state-dir', join(kit.folder, 'state'), '--shared-sessions', 'profile@work');
    process.kill(row.run?.pid ?? 0, 'SIGSTOP');
    const { text, failure } = await other.call('title', { session: 'profile@work' }, { caller: 'guest' });
    process.kill(row.run?.pid ?? 0, 'SIGCONT');
    expect(failure?.code).toBe('browser_missing');
    expect(text).toContain(`Could not attach to the browser at http://127.0.0.1:${port}: `);
    expect(text).not.toContain(address().slice(-20));
    await other.close();
  }, 60_000);
});
