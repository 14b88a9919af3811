// A question at the terminal, before a call that a rule wants approved.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Approval, Question } from '../../../call/message.ts';
import { APPROVAL_MS } from '../../../session/rules/approvals.ts';
import { timeoutSignal } from '../../client/timeout-signal.ts';

export type AskPerson = (ask: Pick<Question, 'question'>) => Promise<Approval['answer']>;

/** Undefined where nobody would see the question. */
export function terminalAsk(signal: AbortSignal, wipe: () => void): AskPerson | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return ({ question }) => {
    wipe();
    process.stderr.write(`${question}\n[y/N] `);
    return readAnswer(signal);
  };
}

/** No answer within some minutes, Ctrl+C and the end of the input are no approval. */
async function readAnswer(signal: AbortSignal): Promise<Approval['answer']> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const ends = AbortSignal.any([signal, timeoutSignal(APPROVAL_MS)]);
  try {
    const closed = once(lines, 'close', { signal: ends }).then(() => undefined);
    const text = await Promise.race([lines.question('', { signal: ends }), closed]);
    if (text === undefined) return 'cancel';
    return /^y(?:es)?$/i.test(text.trim()) ? 'accept' : 'decline';
  } catch (error) {
    if (!ends.aborted) throw error;
    return 'cancel';
  } finally {
    lines.close();
  }
}
