// The command browseros-mcp: MCP over HTTP for a browser that already runs. Its parent reads its lines and its exit code.
import packageJson from '../package.json' with { type: 'json' };
import { flushed } from './surfaces/browseros/output.ts';
import { start } from './surfaces/browseros/start.ts';

const code = await start(process.argv.slice(2), packageJson.version);
await flushed();
process.exit(code);
