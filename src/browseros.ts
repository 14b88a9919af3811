// The command browseros-mcp: MCP over HTTP for a browser that already runs. Its parent reads its lines and its exit code.
import packageJson from '../package.json' with { type: 'json' };
import { flushed, parseArgs, print, printError, Stop } from './surfaces/browseros/process.ts';

const { version } = packageJson;

/** Wrong arguments are reported before anything is loaded. */
async function run(argv: readonly string[]): Promise<number> {
  // Without a reader the output is lost; that is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const ports = parseArgs(argv);
    print(`BrowserOS MCP Server v${version}`);
    const { serve } = await import('./surfaces/browseros/serve.ts');
    return await serve(ports, version);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    for (const line of error.lines) printError(line);
    return error.exitCode;
  }
}

const code = await run(process.argv.slice(2));
await flushed();
process.exit(code);
