// `tabwright mcp`: MCP on stdin and stdout, until the client ends the connection.
import type { Log } from '../../config/log.ts';
import { toolsetFor, usable } from '../listing/toolset.ts';
import { answerFirst } from '../mcp/first-answers.ts';
import type { McpServerConfig } from '../mcp/server-config.ts';
import { policyOf, Runtime } from '../runtime.ts';
import { closeRuntime, type Run, signalled } from './command.ts';

export const run: Run = async start => {
  const { version, options, log } = start;
  if (options.transport === 'http') return (await import('./serve.ts')).run(start);
  if (options.dialect === 'agent-browser') return (await import('./agent-browser.ts')).run(start);
  if (options.dialect === 'browsion') return (await import('../browsion/mcp-server.ts')).run(start);
  const calls = new Runtime(options, usable(options.tools), log, await policyOf(options));
  const toolset = await toolsetFor(options);
  const config = { version, ...toolset, run: calls.run, resources: calls };
  await Promise.race([serve(config, log), signalled()]);
  await closeRuntime(calls, log);
  return 0;
};

async function serve(config: McpServerConfig, log: Log): Promise<void> {
  const library = () => import('../mcp/stdio.ts');
  const first = await answerFirst(config, process.stdin, process.stdout, () => void library());
  if (first.ended) return;
  const { serveMcpOnStdio } = await library();
  await serveMcpOnStdio(config, log, first.answered);
}
