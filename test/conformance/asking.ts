// Tools and a prompt that need something from the client first: its user, its model or its roots.
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { says } from './contents.ts';

/** Seals what goes to the client and back. */
export const codec = createRequestStateCodec<string>({ key: 'the-key-of-the-conformance-tests', ttlSeconds: 60 });

type Asked = Promise<CallToolResult | InputRequiredResult>;
export type Asking = (context: ServerContext) => Asked;

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) as never;

export const form = (message: string, properties: Record<string, unknown>): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: object(properties) });

const NAME = form('What is your name?', { name: { type: 'string' } });
const CONFIRM = form('Please confirm', { ok: { type: 'boolean' } });
const STEP_1 = form('Step 1: What is your name?', { name: { type: 'string' } });
const STEP_2 = form('Step 2: What is your favorite color?', { color: { type: 'string' } });
const ROOTS: InputRequest = { method: 'roots/list', params: {} };

const sample = (text: string, maxTokens: number): InputRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
});

const answer = (text: string): CallToolResult => ({ content: [says(text)] });

/** The answer once the client has given what is wanted under that key; until then the request for it. */
const once =
  (key: string, request: InputRequest, say: (response: unknown) => string): Asking =>
  async ({ mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, key);
    if (view.kind === 'missing') return inputRequired({ inputRequests: { [key]: request } });
    return answer(say(mcpReq.inputResponses?.[key]));
  };

const named: Asking = async ({ mcpReq }) => {
  const content = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
  return content ? answer(`Hello, ${content.name}!`) : inputRequired({ inputRequests: { user_name: NAME } });
};

const confirmed: Asking = async ({ mcpReq }) => {
  const content = acceptedContent(mcpReq.inputResponses, 'confirm');
  if (content && mcpReq.requestState() === 'confirm') return answer('state-ok');
  return inputRequired({ inputRequests: { confirm: CONFIRM }, requestState: await codec.mint('confirm') });
};

const several: Asking = async ({ mcpReq }) => {
  const wanted = { user_name: NAME, greeting: sample('Generate a greeting', 50), client_roots: ROOTS };
  const isWhole = Object.keys(wanted).every(key => inputResponse(mcpReq.inputResponses, key).kind !== 'missing');
  if (isWhole && mcpReq.requestState() === 'several') return answer('All was given.');
  return inputRequired({ inputRequests: wanted, requestState: await codec.mint('several') });
};

const inSteps: Asking = async ({ mcpReq }) => {
  const state = mcpReq.requestState();
  if (state === 'second' && acceptedContent(mcpReq.inputResponses, 'step2')) return answer('Both steps are done.');
  const isFirstDone = state === 'second' || (state === 'first' && acceptedContent(mcpReq.inputResponses, 'step1'));
  return isFirstDone
    ? inputRequired({ inputRequests: { step2: STEP_2 }, requestState: await codec.mint('second') })
    : inputRequired({ inputRequests: { step1: STEP_1 }, requestState: await codec.mint('first') });
};

/** Asks only for what the client says that it can do. */
const byCapabilities: Asking = async ({ mcpReq }) => {
  const { sampling, elicitation } = Object(Object(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
  const inputRequests = {
    ...(elicitation && { user_name: NAME }),
    ...(sampling && { greeting: sample('Generate a greeting', 50) }),
  };
  if (mcpReq.inputResponses || Object.keys(inputRequests).length === 0) return answer('Nothing more is needed.');
  return inputRequired({ inputRequests });
};

export const elicited = (message: string, properties: Record<string, unknown>, head: string): Asking =>
  once('answer', form(message, properties), response => {
    const { action, content } = Object(response);
    return `${head}: action=${action}, content=${JSON.stringify(content ?? {})}`;
  });

export const sampled = (prompt: string): Asking =>
  once('answer', sample(prompt, 100), response => `LLM response: ${Object(Object(response).content).text}`);

export const USERNAME_AND_EMAIL = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
};

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const OPTIONS = ['option1', 'option2', 'option3'];
const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${word}` }));

const ENUMS = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

/** Tools without arguments that ask. */
export const ASKING: Readonly<Record<string, Asking>> = {
  test_elicitation_sep1034_defaults: elicited('Please check', DEFAULTS, 'Elicitation completed'),
  test_elicitation_sep1330_enums: elicited('Please choose', ENUMS, 'Elicitation completed'),
  test_streaming_elicitation: named,
  test_missing_capability: once('capital_question', sample('What is the capital of France?', 100), () => 'Known.'),
  test_input_required_result_elicitation: named,
  test_input_required_result_sampling: once(
    'capital_question',
    sample('What is the capital of France?', 100),
    response => String(Object(Object(response).content).text),
  ),
  test_input_required_result_list_roots: once('client_roots', ROOTS, response => JSON.stringify(response)),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_multiple_inputs: several,
  test_input_required_result_multi_round: inSteps,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_capabilities: byCapabilities,
};
