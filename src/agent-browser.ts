// The command agent-browser-mcp-server: tabwright, with the tools of the agent-browser bridge.

process.argv.splice(2, 0, '--dialect', 'agent-browser');
await import('./main.ts');
