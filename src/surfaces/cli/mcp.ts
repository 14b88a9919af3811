// `tabwright mcp`: MCP on stdin and stdout, until the client ends the connection.
import { Calls } from '../calls.ts';
import { serveMcpOnStdio } from '../stdio.ts';
import { toolsetFor, usable } from '../toolset.ts';
import { closeCalls, type Run, signalled } from './command.ts';

export const run: Run = async ({ version, options, log }) => {
  const calls = new Calls(options, usable(options.tools), log);
  const toolset = await toolsetFor(options);
  const served = serveMcpOnStdio({ version, ...toolset, run: call => calls.run(call) }, log);
  await Promise.race([served, signalled()]);
  await closeCalls(calls, log);
  return 0;
};
