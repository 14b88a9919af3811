// The HTTP server inside the test, with tools that the test writes and limits that it chooses.
import type { Call, Result } from '../../../src/call/call.ts';
import { makeLog } from '../../../src/config/log.ts';
import type { JournalRefusal } from '../../../src/session/journal.ts';
import { hostOriginCheck } from '../../../src/surfaces/http/auth/host-origin.ts';
import { FileTokenStore } from '../../../src/surfaces/http/auth/token-store.ts';
import { hashOf, OWNER, type TokenGrant } from '../../../src/surfaces/http/auth/tokens.ts';
import type { ServedApi } from '../../../src/surfaces/http/front.ts';
import { type HttpLimits, LIMITS } from '../../../src/surfaces/http/limits.ts';
import { type Listening, listen } from '../../../src/surfaces/http/listen.ts';

export const TOKEN = 'a-token-of-the-tests';
export const BEARER = { authorization: `Bearer ${TOKEN}` };

const TOOLS = [{ name: 'echo', description: 'Says it.', inputSchema: { type: 'object' as const } }];

export const good = (text: string): Result => ({ ok: true, tool: 'echo', text, data: { text }, pictures: [], ms: 1 });

export const GUARD = hostOriginCheck({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });

export interface Here extends Listening {
  /** What was logged. */
  lines: string[];
  /** What was written to the journal. */
  refusals: JournalRefusal[];
}

/** Tokens that stand in no file. */
export const fixedKeys = (tokens: Record<string, string>): Promise<FileTokenStore> => {
  const grants: TokenGrant[] = Object.entries(tokens).map(([id, token]) => ({ hash: hashOf(token), caller: { id } }));
  return FileTokenStore.open(
    [{ path: '/nowhere', read: () => grants }],
    makeLog('error', () => undefined),
  );
};

export const echo = async ({ args }: Call): Promise<Result> => good(JSON.stringify(args));

export const offerOf = (run: (call: Call) => Promise<Result>, tools = TOOLS): ServedApi['mcp'] => ({
  version: '1',
  tools,
  structured: false,
  run,
});

export async function listenHere(
  run: (call: Call) => Promise<Result> = echo,
  limits: Partial<HttpLimits> = {},
  more: Partial<ServedApi> = {},
): Promise<Here> {
  const lines: string[] = [];
  const refusals: JournalRefusal[] = [];
  const served: ServedApi = {
    mcp: offerOf(run),
    checkHostOrigin: GUARD,
    tokens: more.tokens ?? (await fixedKeys({ [OWNER]: TOKEN })),
    log: makeLog('info', line => lines.push(line)),
    journal: { write: refusal => refusals.push(refusal) },
    ...more,
  };
  const listening = await listen({ host: '127.0.0.1', port: 0 }, served, { ...LIMITS, ...limits });
  return { ...listening, lines, refusals };
}

/** A tool that ends only when its call is aborted or released. */
export function waiting() {
  const calls: Call[] = [];
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const run = async (call: Call) => {
    calls.push(call);
    const aborted = new Promise(resolve => call.signal?.addEventListener('abort', resolve, { once: true }));
    await Promise.race([aborted, released]);
    return good('released');
  };
  return { calls, run, release };
}
