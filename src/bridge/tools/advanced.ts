// The long tail: any allowed command, and whether all of this works on this machine.
import { z } from 'zod';
import { ARG_LIMIT, ARGV_LIMIT } from '../constants.ts';
import { checkHealth } from '../health.ts';
import { checkCommand } from '../passthrough.ts';
import { type BridgeTool, bridgeTool, DESTROYS, READS } from './tool.ts';

const command = bridgeTool({
  name: 'agent_browser_command',
  group: 'advanced',
  summary: 'Run any other agent-browser command that acts on pages. Prefer the tools of their own.',
  hints: DESTROYS,
  input: {
    argv: z
      .array(z.string().min(1).max(ARG_LIMIT))
      .min(1)
      .max(ARGV_LIMIT)
      .describe('The command and its words, such as ["dblclick", "@e2"]; for batch each command is one item'),
  },
  argv: ({ argv }, { files, allowed }) => checkCommand(argv, files, allowed),
});

const health = bridgeTool({
  name: 'agent_browser_health',
  group: 'advanced',
  summary: 'Check that agent-browser is installed, that its version is supported, and that a browser starts.',
  hints: READS,
  free: true,
  input: { start_browser: z.boolean().default(true).describe('Also start a browser, in a session of its own') },
  run: ({ start_browser }, globals, runner, settings) => checkHealth(start_browser, globals, runner, settings),
});

export const ADVANCED: readonly BridgeTool[] = [command, health];
