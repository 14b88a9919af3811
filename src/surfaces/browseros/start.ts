// The start of browseros-mcp: what is wrong with its arguments is told before anything is loaded.
import { parseArgs } from './arguments.ts';
import { print, printError } from './output.ts';
import { Stop } from './stop.ts';

/** Runs to its end; gives the exit code. */
export async function start(argv: readonly string[], version: string): Promise<number> {
  // Without a reader its lines are lost; that is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const ports = parseArgs(argv);
    print(`BrowserOS MCP Server v${version}`);
    const { serve } = await import('./serve.ts');
    return await serve(ports, version);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    for (const line of error.lines) printError(line);
    return error.exitCode;
  }
}
