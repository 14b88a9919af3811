// `tabwright mcp`: MCP on stdin and stdout, until the client ends the connection.
import { toolsetFor, usable } from '../listing/toolset.ts';
import { serveMcpOnStdio } from '../mcp/stdio.ts';
import { policyOf, Runtime } from '../runtime.ts';
import { closeRuntime, type Run, signalled } from './command.ts';

export const run: Run = async start => {
  const { version, options, log } = start;
  if (options.transport === 'http') return (await import('./serve.ts')).run(start);
  if (options.dialect === 'agent-browser') return (await import('./agent-browser.ts')).run(start);
  if (options.dialect === 'browsion') return (await import('../browsion/mcp-server.ts')).run(start);
  const calls = new Runtime(options, usable(options.tools), log, await policyOf(options));
  const toolset = await toolsetFor(options);
  const served = serveMcpOnStdio({ version, ...toolset, run: calls.run, resources: calls }, log);
  await Promise.race([served, signalled()]);
  await closeRuntime(calls, log);
  return 0;
};
