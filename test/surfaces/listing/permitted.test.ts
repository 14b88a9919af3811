// tools/list for a caller that may not do everything.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import type { Permissions } from '../../../src/policy/decide.ts';
import { toolsetFor } from '../../../src/surfaces/listing/toolset.ts';
import { protocolServer } from '../../../src/surfaces/mcp/server.ts';
import { TOOLS } from '../../../src/tools/index.ts';
import { optionsIn } from '../../call/stand-in.ts';

async function listFor(may: Permissions | undefined, dialect: 'native' | 'chrome' = 'native'): Promise<string[]> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const toolset = await toolsetFor(optionsIn('/nowhere', { dialect }));
  const run = () => Promise.reject(new Error('nothing is called here'));
  const server = protocolServer({ version: '1', ...toolset, run }, { id: 'me', ...(may && { may }) });
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

it('S3-21: shows only what it may use', async () => {
  const all = await listFor(undefined);
  expect(all).toHaveLength(TOOLS.length);
  const reads = TOOLS.filter(({ effect, on }) => effect === 'read' || on === 'calls').map(({ name }) => name);
  expect((await listFor({ effects: ['read'] })).sort()).toEqual(reads.sort());
  expect(await listFor({ tools: ['click', 'tab_*'], effects: ['write'] })).toEqual(
    all.filter(name => ['click', 'tab_new', 'tab_switch', 'tab_close'].includes(name)),
  );
  expect(await listFor({ tools: [] })).toEqual([]);
});

it('shows a tool of a dialect when one behind it may be used', async () => {
  const names = await listFor({ tools: ['evaluate', 'snapshot'] }, 'chrome');
  expect(names).toContain('chrome_javascript');
  expect(names).not.toContain('chrome_click_element');
});
