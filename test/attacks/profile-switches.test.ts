// Callers who give the browser of a profile switches that lift a protection, read files or lead addresses elsewhere.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

it.each([
  '--blink-settings=webSecurityEnabled=false',
  '--use-file-for-fake-video-capture=/etc/passwd',
  '--host-resolver-rules=MAP * 127.0.0.1',
  '--proxy-pac-url=file:///etc/passwd',
  '--enable-features=SomethingNew',
])('15.14 %s is refused', async arg => {
  const { code, text } = await kit.fails('profile', { action: 'create', name: 'B', custom_args: [arg] });
  expect([code, text]).toEqual(['refused', expect.stringContaining('switches of profiles')]);
});
