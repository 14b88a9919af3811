// Approvals over MCP: a question goes to the person at the client, and the call is sent again with the answer.
import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import type { Approval, Question } from '../../call/message.ts';
import { APPROVAL_MS } from '../../session/rules/approvals.ts';
import { APPROVAL, settle } from './ask-person.ts';

/** From here on a question is the answer to a call, which the client then sends again; before, it is a request of its own. */
const ASKS_BY_ANSWER = '2026-07-28';

const BEAT_MS = 1_000;

/** Runs a call, with a person's approval where a rule wants one. */
export async function runApproved(
  run: (call: Call) => Promise<Result>,
  sent: Call,
  server: Server,
  context: ServerContext,
): Promise<Result | InputRequiredResult> {
  const call = { ...sent, asks: canAsk(server, context), ...answerIn(context) };
  const result = await run(call);
  if (!result.ask) return result;
  if ((server.getNegotiatedProtocolVersion() ?? '') >= ASKS_BY_ANSWER) return question(result.ask);
  return settle(
    result,
    approval => run({ ...call, approval }),
    ask => put(context, ask, call.progress),
  );
}

export const isQuestion = (answer: Result | InputRequiredResult): answer is InputRequiredResult =>
  'resultType' in answer;

/** A client that declared that it can show a form; a bare `elicitation` is from before there were other kinds. */
function canAsk(server: Server, context: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const declared = envelope['io.modelcontextprotocol/clientCapabilities'] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
}

/** What the client sends along when it sends a call again. */
function answerIn({ mcpReq }: ServerContext): Pick<Call, 'approval'> {
  const id = mcpReq.requestState();
  const answer = inputResponse(mcpReq.inputResponses, APPROVAL);
  return typeof id === 'string' && answer.kind === 'elicit' ? { approval: { id, answer: answer.action } } : {};
}

const form = ({ question }: Question) => ({
  message: question,
  requestedSchema: { type: 'object' as const, properties: {} },
});

const question = (ask: Question): InputRequiredResult =>
  inputRequired({ inputRequests: { [APPROVAL]: inputRequired.elicit(form(ask)) }, requestState: ask.id });

/** Asks with a request to the client. Nobody answers in time, or the client cannot after all: that is no approval. */
async function put({ mcpReq }: ServerContext, ask: Question, progress: Call['progress']): Promise<Approval['answer']> {
  let seconds = 0;
  const beat = setInterval(() => progress?.({ done: ++seconds, message: `waits for approval: ${seconds} s` }), BEAT_MS);
  try {
    const asked = { method: 'elicitation/create', params: form(ask) } as const;
    const { action } = await mcpReq.send(asked, { timeout: APPROVAL_MS, signal: mcpReq.signal });
    return action;
  } catch {
    return 'cancel';
  } finally {
    clearInterval(beat);
  }
}
