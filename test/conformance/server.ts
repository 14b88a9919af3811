// The product's own HTTP server with the fixture behind it. No token, as the suite has none; names and pages are checked.
import { makeLog } from '../../src/config/log.ts';
import { hostOriginCheck } from '../../src/surfaces/http/auth/host-origin.ts';
import { noAuth } from '../../src/surfaces/http/auth/token-store.ts';
import { type Listening, listen } from '../../src/surfaces/http/listen.ts';
import { FIXTURE } from './fixture.ts';

export function startFixture(lines: string[]): Promise<Listening> {
  return listen(
    { host: '127.0.0.1', port: 0 },
    {
      mcp: {
        version: '1.0.0',
        tools: [],
        structured: false,
        run: () => Promise.reject(new Error('the fixture runs its own tools')),
        protocol: FIXTURE,
      },
      checkHostOrigin: hostOriginCheck({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }),
      tokens: noAuth(),
      log: makeLog('warn', line => lines.push(line)),
    },
  );
}
