// --output-schema: each tool says the form of its structured answers, and keeps to it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Process, temporaryFolder } from '../process.ts';

const folder = temporaryFolder();
let server: Process;

beforeAll(async () => {
  server = new Process(['--output-schema'], folder.path);
  await server.initialize();
});

afterAll(async () => {
  await server.endInput();
  folder.remove();
});

it('lists the schema with every tool', async () => {
  const { result } = await server.request('tools/list');
  const tools = result?.tools as { outputSchema?: { required: string[] } }[];
  expect(tools.length).toBeGreaterThan(40);
  for (const tool of tools) expect(tool.outputSchema?.required).toEqual(['success']);
});

it.each([
  ['tab_list', {}, { success: true }],
  ['click', {}, { success: false, code: 'bad_input' }],
])('%s answers in that form', async (name, args, form) => {
  const { result } = await server.request('tools/call', { name, arguments: args });
  expect(result?.structuredContent).toMatchObject(form);
});
