// `tabwright mcp`: MCP on stdin and stdout, until the client ends the connection.
import { toolsetFor, usable } from '../listing/toolset.ts';
import { answerFirst } from '../mcp/first-answers.ts';
import type { McpServerConfig } from '../mcp/server-config.ts';
import { policyOf, Runtime } from '../runtime.ts';
import { closeRuntime, type Run, type Start, signalled } from './command.ts';

export const run: Run = async start => {
  const { version, options, log } = start;
  if (options.transport === 'http') return (await import('./serve.ts')).run(start);
  if (options.dialect === 'agent-browser') return (await import('./agent-browser.ts')).run(start);
  if (options.dialect === 'browsion') return (await import('../browsion/mcp-server.ts')).run(start);
  const calls = new Runtime(options, usable(options.tools), log, await policyOf(options));
  const toolset = await toolsetFor(options);
  const config = { version, ...toolset, run: calls.run, resources: calls };
  await Promise.race([serve(config, calls, start), signalled()]);
  await closeRuntime(calls, log);
  return 0;
};

async function serve(config: McpServerConfig, calls: Runtime, { options, log }: Start): Promise<void> {
  const library = () => import('../mcp/stdio.ts');
  const first = await answerFirst(config, process.stdin, process.stdout, {
    greeted: () => options.eagerBrowser && void calls.launchAhead(),
    // What starts Chrome comes first: it is small, and the first call may follow at once.
    listed: () => void import('../../engine/browser/launcher.ts').then(library),
  });
  if (first.ended) return;
  if (first.opensPage) await calls.launchAhead();
  const { serveMcpOnStdio } = await library();
  await serveMcpOnStdio(config, log, first.answered);
}
