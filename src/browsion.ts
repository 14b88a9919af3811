// The command browsion-mcp: tabwright, with the tools of the dialect browsion over its HTTP API.

process.argv.splice(2, 0, '--dialect', 'browsion');
await import('./main.ts');
