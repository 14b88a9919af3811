// What must be refused at the page's WebSocket: no cookie, foreign pages, too many sockets, readers that do not read, messages that are too long.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOKEN } from '../http/here.ts';
import { type LiveSocket, Person } from './person.ts';
import { type ServedView, serveView } from './served-view.ts';

let served: ServedView;
let owner: Person;

beforeAll(async () => {
  served = await serveView({ http: TOKEN, ann: 'another-token-of-the-tests' });
  owner = await Person.login(served.here.url, TOKEN);
});
afterAll(() => served.close());

it('a socket without a cookie, of a foreign page, without an Origin or by a foreign name', async () => {
  const { port } = new URL(served.here.url);
  const cases: [Record<string, string>, number][] = [
    [{ cookie: '' }, 401],
    [{ cookie: `tabwright_view_${port}=made-up` }, 401],
    [{ cookie: `tabwright_view_1=${owner.cookie.split('=')[1]}` }, 401],
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: `http://127.0.0.1:${Number(port) + 1}` }, 403],
    [{ origin: 'null' }, 403],
    [{ host: `evil.test:${port}`, origin: `http://evil.test:${port}` }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
  ];
  for (const [headers, status] of cases)
    await expect(owner.connect(headers), JSON.stringify(headers)).rejects.toThrow(`it answered ${status}`);
});

it('200 sockets: some are opened, the others are told to come later, and another caller still gets in', async () => {
  const opened: LiveSocket[] = [];
  const refused: string[] = [];
  for (let left = 200; left > 0; left--)
    await owner.connect().then(
      socket => opened.push(socket),
      (error: Error) => refused.push(error.message),
    );
  expect(opened).toHaveLength(16);
  expect(new Set(refused)).toEqual(new Set(['it answered 503 instead of opening a WebSocket']));
  const ann = await Person.login(served.here.url, 'another-token-of-the-tests');
  await (await ann.connect()).close();
  for (const socket of opened) await socket.close();
  await (await owner.connect()).close();
});

it('a message that is too long, and bytes that are no frame', async () => {
  for (const bad of ['x'.repeat(300_000)]) {
    const live = await owner.connect();
    live.socket.send(bad);
    await live.closed;
  }
  const live = await owner.connect();
  await live.until(() => live.last('overview'));
  await live.close();
});
