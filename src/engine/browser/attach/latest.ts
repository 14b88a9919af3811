// In which order the tabs of an attached browser were used: only its HTTP port tells.
import { httpAddress } from './socket.ts';

/** Who does not know at once does not know. */
const ASK_MS = 1_000;

/** The names of its targets, the one used last first; none when it does not tell. */
export async function latest(endpoint: string): Promise<string[]> {
  try {
    const answer = await fetch(httpAddress(endpoint, 'json/list'), { signal: AbortSignal.timeout(ASK_MS) });
    const rows: unknown = await answer.json();
    return Array.isArray(rows) ? rows.map(row => String(Object(row).id)) : [];
  } catch {
    return []; // a grid that speaks WebSocket only: the order of its tabs is not known
  }
}
