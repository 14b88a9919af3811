// The HTTP server inside the test, with tools that the test writes and limits that it chooses.
import type { Call, Result } from '../../../src/call/call.ts';
import { makeLog } from '../../../src/config/log.ts';
import { makeGuard, type Rules } from '../../../src/surfaces/http/guard.ts';
import { type HttpLimits, LIMITS, type Listening, listen } from '../../../src/surfaces/http/listen.ts';

export const TOKEN = 'a-token-of-the-tests';
export const BEARER = { authorization: `Bearer ${TOKEN}` };

const TOOLS = [{ name: 'echo', description: 'Says it.', inputSchema: { type: 'object' as const } }];

export const good = (text: string): Result => ({ ok: true, tool: 'echo', text, data: { text }, pictures: [], ms: 1 });

export interface Here extends Listening {
  /** What was logged. */
  lines: string[];
}

export async function listenHere(
  run: (call: Call) => Promise<Result> = async ({ args }) => good(JSON.stringify(args)),
  limits: Partial<HttpLimits> = {},
  rules: Partial<Rules> = {},
): Promise<Here> {
  const lines: string[] = [];
  const log = makeLog('info', line => lines.push(line));
  const guard = makeGuard({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [], token: TOKEN, ...rules });
  const offer = { version: '1', tools: TOOLS, structured: false, run };
  const listening = await listen({ host: '127.0.0.1', port: 0 }, offer, guard, log, { ...LIMITS, ...limits });
  return { ...listening, lines };
}
