// A client of a running `tabwright serve`: one tool call over HTTP.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Call, Result } from '../../call/call.ts';
import type { Approval, Question } from '../../call/message.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { type StructuredResult, structuredForm } from '../listing/structured.ts';
import { APPROVAL, MOST_QUESTIONS } from '../mcp/ask-person.ts';
import { readEvents, readText, sendRequest, timeoutSignal } from './http.ts';
import type { RunningServer } from './running-servers.ts';

const REVISION = '2026-07-28';

export interface RemoteCall extends Pick<Call, 'name' | 'args' | 'progress'> {
  /** The version of this client. */
  version: string;
  signal: AbortSignal;
  /** Most time for the answer, in ms. */
  ms: number;
  /** Puts a question of the server to a person. */
  ask?(ask: Pick<Question, 'question'>): Promise<Approval['answer']>;
}

/** The result of one call, wherever it ran: what the command line prints. */
export interface CallOutcome {
  text: string;
  structured: StructuredResult;
  pictures: readonly { mimeType: string; bytes: Buffer }[];
}

export const outcomeOfResult = (result: Result): CallOutcome => ({
  text: result.text,
  structured: structuredForm(result),
  pictures: result.pictures,
});

/** For a call that did not begin, or got no answer. */
export const outcomeOfFailure = (failure: Failure): CallOutcome => ({
  text: [failure.message, failure.hint].filter(Boolean).join('\n'),
  structured: structuredForm({ failure }),
  pictures: [],
});

interface Message {
  id?: number;
  method?: string;
  params?: { progress?: number; total?: number; message?: string };
  /** The result of the call, or a question that the server wants answered first. */
  result?: Partial<Pick<CallToolResult, 'content' | 'isError'>> & {
    structuredContent?: StructuredResult;
    inputRequests?: { [APPROVAL]?: { params?: { message?: string } } };
    requestState?: string;
  };
  error?: { message?: string };
}

/** The answer to a question, sent with the repeated call. */
interface Answered {
  inputResponses: { [APPROVAL]: { action: Approval['answer'] } };
  requestState: string;
}

/** Resolves with what the server answered, a failed call too; rejects with a Failure when it did not answer. */
export async function callRemote(running: RunningServer, call: RemoteCall): Promise<CallOutcome> {
  const token = running.tokenFile === undefined ? undefined : await readToken(running.tokenFile);
  const send = (answered?: Answered) => sendOnce(running, call, token, answered);
  let message = await send();
  for (let left = MOST_QUESTIONS; left > 0 && !('text' in message); left--) {
    const { inputRequests, requestState } = message.result ?? {};
    const question = inputRequests?.[APPROVAL]?.params?.message;
    if (question === undefined || requestState === undefined || !call.ask) break;
    message = await send({ inputResponses: { [APPROVAL]: { action: await call.ask({ question }) } }, requestState });
  }
  return 'text' in message ? message : outcomeOfMessage(message, running);
}

/** One request, with a time limit of its own. */
async function sendOnce(
  running: RunningServer,
  call: RemoteCall,
  token: string | undefined,
  answered?: Answered,
): Promise<Message | CallOutcome> {
  const late = timeoutSignal(call.ms);
  try {
    const signal = AbortSignal.any([call.signal, late]);
    const options = { method: 'POST', headers: headersOf(call, token), signal };
    const response = await sendRequest(running.url, options, bodyOf(call, answered));
    if (response.statusCode === 401) throw refusedToken(running);
    return await readAnswer(response, call);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (call.signal.aborted) return outcomeOfFailure(new Failure('cancelled', 'The caller cancelled the call.'));
    throw late.aborted ? noAnswer(running, call.ms) : gone(running, error);
  }
}

const headersOf = ({ name }: RemoteCall, token: string | undefined) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': REVISION,
  'mcp-method': 'tools/call',
  'mcp-name': name,
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});

function bodyOf({ name, args, version, progress, ask }: RemoteCall, answered?: Answered): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': ask ? { elicitation: { form: {} } } : {},
    'io.modelcontextprotocol/clientInfo': { name: 'tabwright', version },
    'tabwright/structured': true,
    ...(progress && { progressToken: 1 }),
  };
  const params = { name, arguments: args, _meta, ...answered };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** One JSON document, or a stream of events with progress before the answer. */
async function readAnswer(response: IncomingMessage, { progress }: RemoteCall): Promise<Message> {
  const isStream = /^text\/event-stream\b/.test(response.headers['content-type'] ?? '');
  for await (const text of isStream ? readEvents(response.setEncoding('utf8')) : [await readText(response)]) {
    const message = parse(text, response);
    if (message.id === 1 || message.error) return message;
    const { progress: done = 0, total, message: words } = message.params ?? {};
    if (message.method === 'notifications/progress') progress?.(defined({ done, total, message: words }));
  }
  throw new Error('it ended the answer too early');
}

/** A proxy in between may answer with any text. */
function parse(text: string, { statusCode }: IncomingMessage): Message {
  try {
    return Object(JSON.parse(text));
  } catch {
    return { error: { message: `status ${statusCode}, ${text.slice(0, 200).replace(/\s+/g, ' ') || 'empty'}` } };
  }
}

function outcomeOfMessage({ result, error }: Message, { url }: RunningServer): CallOutcome {
  if (!result) throw new Failure('internal', `The server at ${url} answered: ${error?.message ?? 'nothing'}.`);
  const { content = [], structuredContent, isError } = result;
  const text = content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
  return {
    text,
    structured:
      structuredContent ??
      (isError ? { success: false, error: text, code: 'internal' } : { success: true, data: null }),
    pictures: content.flatMap(block =>
      block.type === 'image' ? [{ mimeType: block.mimeType, bytes: Buffer.from(block.data, 'base64') }] : [],
    ),
  };
}

export async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    const message = `The token file ${file} of the running server cannot be read: ${Object(cause).code}.`;
    throw new Failure('file_error', message, undefined, { cause });
  }
}

const refusedToken = ({ url, tokenFile }: RunningServer): Failure =>
  new Failure(
    'refused',
    tokenFile === undefined
      ? `The server at ${url} asks for a token.`
      : `The server at ${url} refuses the token in ${tokenFile}.`,
    'Stop it and start tabwright serve again.',
  );

const noAnswer = ({ url, pid }: RunningServer, ms: number): Failure =>
  new Failure(
    'timeout',
    `The server at ${url} did not answer within ${Math.round(ms / 100) / 10} s.`,
    `Its process is ${pid}.`,
  );

function gone({ url }: RunningServer, cause: unknown): Failure {
  const why = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
  return new Failure('server_gone', `The server at ${url} went away: ${why}.`, 'Start it again: tabwright serve', {
    cause,
  });
}
