// `tabwright mcp`: MCP on stdin and stdout, until the client ends the connection.
import { Calls } from '../calls.ts';
import { LISTED } from '../listed.ts';
import { offered } from '../listing.ts';
import { serveMcpOnStdio } from '../stdio.ts';
import { closeCalls, type Run, signalled } from './command.ts';

export const run: Run = async ({ version, options, log }) => {
  const tools = offered(LISTED, options.tools);
  const names = tools.map(tool => tool.name);
  const calls = new Calls(options, names, log);
  const served = serveMcpOnStdio({ version, tools, structured: options.structured, run: call => calls.run(call) }, log);
  await Promise.race([served, signalled()]);
  await closeCalls(calls, log);
  return 0;
};
