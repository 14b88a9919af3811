// `tabwright mcp --dialect agent-browser`, and the command agent-browser-mcp-server: MCP over the agent-browser CLI.
import { parse } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Bridge, type BridgeAnswer } from '../../bridge/bridge.ts';
import { OPTIONAL_ROOT_COMMANDS } from '../../bridge/commands.ts';
import { SERVER_NAME, SERVER_VERSION } from '../../bridge/constants.ts';
import { textOf } from '../../bridge/show-result.ts';
import type { BridgeSettings } from '../../bridge/types.ts';
import { flagOf, type OptionKey, type Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { INSTRUCTIONS, LISTED } from '../listing/listed-bridge.ts';
import { offered } from '../listing/listing.ts';
import { serveToolsOnStdio, type ToolArguments } from '../mcp/stdio.ts';
import { type Run, type Start, signalled } from './command.ts';

/** Rules that only Tabwright's own browser enforces, with what agent-browser has instead: giving one must not seem to work. */
const UNSUPPORTED: Partial<Record<OptionKey, string>> = {
  policy: '--action-policy in its own settings',
  allowUrls: 'AGENT_BROWSER_ALLOWED_DOMAINS',
  blockUrls: 'AGENT_BROWSER_ALLOWED_DOMAINS',
  blockPrivate: 'AGENT_BROWSER_ALLOWED_DOMAINS',
  scripts: '--action-policy in its own settings',
  blockScripts: '--action-policy in its own settings',
  proxy: 'AGENT_BROWSER_PROXY',
};

export const run: Run = async start => {
  const { options, log } = start;
  const settings = settingsOf(start);
  const tools = offered(LISTED, options.tools).map(({ tool }) => tool);
  const bridge = new Bridge(settings, new Set(tools.map(({ name }) => name)));
  const forwarded = {
    identity: { name: SERVER_NAME, version: SERVER_VERSION },
    instructions: INSTRUCTIONS,
    tools,
    call: async (name: string, args: ToolArguments, signal: AbortSignal) =>
      toolResult(await bridge.call({ name, args, signal }), settings.limit),
  };
  await Promise.race([serveToolsOnStdio(forwarded, log), signalled()]);
  bridge.close();
  return 0;
};

function toolResult({ result, picture }: BridgeAnswer, maxChars: number): CallToolResult {
  const { bytes, mimeType = '' } = picture ?? {};
  return {
    content: [
      { type: 'text', text: textOf(result, maxChars) },
      ...(bytes ? [{ type: 'image' as const, data: bytes.toString('base64'), mimeType }] : []),
    ],
    structuredContent: { ...result },
    ...(!result.ok && { isError: true }),
  };
}

/** The options as settings of the bridge; a Failure for options that have no effect on agent-browser. */
export function settingsOf({ options, origins }: Pick<Start, 'options' | 'origins'>): BridgeSettings {
  const isGiven = (key: OptionKey): boolean => origins[key] !== 'default';
  for (const [key, instead] of Object.entries(UNSUPPORTED))
    if (isGiven(key as OptionKey)) throw unsupported(key, instead);
  if (options.transport !== 'stdio') throw unsupported('transport', 'stdin and stdout');
  checkCommands(options.allowCommands);
  const { headed, executablePath, allowExecutables } = options;
  const named = [executablePath, process.env.AGENT_BROWSER_EXECUTABLE_PATH?.trim()];
  return {
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    folders: foldersOf(options, isGiven('outputDir')),
    limit: options.maxChars,
    defaults: { ...(headed && { headed }), ...(executablePath !== undefined && { executable_path: executablePath }) },
    executables: [...named.filter(path => path !== undefined && path !== ''), ...allowExecutables] as string[],
    allowed: options.allowCommands,
  };
}

/** The working folder too, unless an output folder is given or the working folder is the root of the disk. */
function foldersOf({ outputDir }: Options, isGiven: boolean): string[] {
  const here = process.cwd();
  return isGiven || parse(here).root === here ? [outputDir] : [here, outputDir];
}

function checkCommands(allowed: readonly string[]): void {
  const wrong = allowed.find(name => !OPTIONAL_ROOT_COMMANDS.includes(name));
  if (wrong !== undefined)
    throw new Failure(
      'bad_input',
      `${flagOf('allowCommands')}: ${wrong} is not a command that can be allowed.`,
      `Those that can: ${OPTIONAL_ROOT_COMMANDS.join(', ')}.`,
    );
}

const unsupported = (key: string, instead: string): Failure =>
  new Failure('bad_input', `${flagOf(key)} has no effect on agent-browser.`, `Leave it out, and use ${instead}.`);
