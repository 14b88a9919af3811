// The fixture of the conformance suite: servers with exactly the tools, resources and prompts that it asks for by name.
import {
  acceptedContent,
  type CallToolResult,
  completable,
  InMemoryServerEventBus,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Protocol } from '../../src/surfaces/mcp/server-config.ts';
import { ASKING, codec, elicited, form, sampled, USERNAME_AND_EMAIL } from './asking.ts';
import { dataOf, embeddedBy, FIXED, IMAGE, STATIC_BINARY, STATIC_TEXT, says, WATCHED } from './contents.ts';

const bus = new InMemoryServerEventBus();

/** The same for every caller: the suite is one. */
export const FIXTURE: Protocol = { build: () => build().server, changes: () => bus };

function build(): McpServer {
  const server = new McpServer(
    { name: 'tabwright-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

const answer = (text: string): CallToolResult => ({ content: [says(text)] });
const described = (name: string) => ({ description: `For the suite: ${name}.` });

function addTools(server: McpServer): void {
  for (const [name, content] of Object.entries(FIXED)) server.registerTool(name, described(name), () => ({ content }));
  for (const [name, ask] of Object.entries(ASKING)) server.registerTool(name, described(name), ask);
  for (const [name, run] of Object.entries(TELLING)) server.registerTool(name, described(name), run);
  server.registerTool('test_error_handling', described('an error'), () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'test_sampling',
    { ...described('sampling'), inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, context) => sampled(prompt)(context),
  );
  server.registerTool(
    'test_elicitation',
    { ...described('elicitation'), inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => elicited(message, USERNAME_AND_EMAIL, 'User response')(context),
  );
}

/** Tools that tell something while they run, or that something has changed. */
const TELLING: Readonly<Record<string, (context: ServerContext) => Promise<CallToolResult>>> = {
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await moment();
    }
    return answer('Done.');
  },
  test_tool_with_logging: context => logging(context),
  test_logging_tool: context => logging(context),
  async test_trigger_tool_change() {
    bus.publish({ kind: 'tools_list_changed' });
    return answer('Told.');
  },
  async test_trigger_prompt_change() {
    bus.publish({ kind: 'prompts_list_changed' });
    return answer('Told.');
  },
};

async function logging({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', line);
    await moment();
  }
  return answer('Done.');
}

/** What the suite asks for between two notifications. */
const moment = () => new Promise(resolve => setTimeout(resolve, 50));

function addResources(server: McpServer): void {
  for (const content of [STATIC_TEXT, STATIC_BINARY, WATCHED]) {
    const { uri, mimeType } = content;
    server.registerResource(uri.slice('test://'.length), uri, { ...described(uri), mimeType }, () => ({
      contents: [content],
    }));
  }
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { ...described('a template'), mimeType: 'application/json' },
    (_uri, { id }) => ({ contents: [dataOf(String(id))] }),
  );
  const subscribed = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}

const user = (content: ReturnType<typeof says>) => ({ role: 'user' as const, content });

function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', described('a prompt'), () => ({
    messages: [user(says('This is a simple prompt for testing.'))],
  }));
  const word = completable(z.string(), value => ['paris', 'park', 'party'].filter(one => one.startsWith(value)));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...described('arguments'), argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...described('a resource'), argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [user(embeddedBy(resourceUri)), user(says('Please process the embedded resource above.'))],
    }),
  );
  server.registerPrompt('test_prompt_with_image', described('a picture'), () => ({
    messages: [user(IMAGE), user(says('Please analyze the image above.'))],
  }));
  server.registerPrompt('test_input_required_result_prompt', described('a question first'), ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context');
    if (given) return { messages: [user(says(`Context: ${given.context}`))] };
    const question = form('What context should the prompt use?', { context: { type: 'string' } });
    return inputRequired({ inputRequests: { user_context: question } });
  });
}
