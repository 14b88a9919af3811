// `tabwright view` against a real server: the address that it prints logs in once, and the WebSocket ends with the server.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask } from '../http/ask.ts';
import { Served } from '../http/served.ts';
import { BUNDLE, cleanEnv } from '../process.ts';
import { Person, redeem } from './person.ts';

it('prints an address with a code for one login to the running server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-view-'));
  const view = () =>
    execFileSync(process.execPath, [BUNDLE, 'view', '--print'], {
      env: cleanEnv(folder),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(view).toThrow('Start one: tabwright serve');
  const served = await new Served(folder).ready();
  try {
    const [, page, code = ''] = /(http:\S+\/view\/)#code=(\S+)/.exec(view()) ?? [];
    expect(page).toBe(new URL('/view/', served.url).href);
    expect((await redeem(served.url, code)).status).toBe(204);
    expect((await redeem(served.url, code)).status).toBe(401);
    const person = await Person.login(served.url, served.token);
    const live = await person.connect();
    await live.until(() => live.last('overview'));
    // A client that offers HTTP/2 with its request, as some do, is served as if it had not.
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    expect((await ask(new URL('/health', served.url).href, { headers: offer })).status).toBe(200);
    served.signal('SIGTERM');
    await live.closed;
    expect((await served.ended).code).toBe(0);
  } finally {
    await served.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
