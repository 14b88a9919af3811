// `tabwright mcp --dialect agent-browser`, and the command agent-browser-mcp-server: MCP over the agent-browser CLI.
import { parse } from 'node:path';
import { Bridge } from '../../bridge/bridge.ts';
import { OPTIONAL_ROOT_COMMANDS } from '../../bridge/commands.ts';
import type { BridgeSettings } from '../../bridge/types.ts';
import { flagOf, type OptionKey, type Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { INSTRUCTIONS, LISTED } from '../listing/listed-bridge.ts';
import { offered } from '../listing/listing.ts';
import { bridgeServer } from '../mcp/agent-browser-server.ts';
import { resourceChanges } from '../mcp/resources/subscribers.ts';
import { serveOnStdio } from '../mcp/stdio.ts';
import { type Run, type Start, signalled } from './command.ts';

/** Rules that hold for our own browser only: whoever gives one must not believe that it holds here. */
const UNKEPT: Partial<Record<OptionKey, string>> = {
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
  const tools = offered(LISTED, options.tools);
  const bridge = new Bridge(settings, new Set(tools.map(({ name }) => name)));
  const offer = { bridge, tools, instructions: INSTRUCTIONS, limit: settings.limit };
  const protocol = {
    build: () => bridgeServer(offer),
    changes: () => resourceChanges(undefined, { id: 'local' }),
  };
  await Promise.race([serveOnStdio(protocol, log), signalled()]);
  bridge.close();
  return 0;
};

/** What the options mean for the bridge; a Failure for those that it cannot keep. */
export function settingsOf({ options, origins }: Pick<Start, 'options' | 'origins'>): BridgeSettings {
  const isGiven = (key: OptionKey): boolean => origins[key] !== 'default';
  for (const [key, instead] of Object.entries(UNKEPT)) if (isGiven(key as OptionKey)) throw unkept(key, instead);
  if (options.transport !== 'stdio') throw unkept('transport', 'stdin and stdout');
  checkCommands(options.allowCommands);
  const { headed, executablePath } = options;
  return {
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    folders: foldersOf(options, isGiven('outputDir')),
    limit: options.maxChars,
    defaults: { ...(headed && { headed }), ...(executablePath !== undefined && { executable_path: executablePath }) },
    allowed: options.allowCommands,
  };
}

/** The working folder, unless another is named or the whole disk would be one. */
function foldersOf({ outputDir }: Options, isNamed: boolean): string[] {
  const here = process.cwd();
  return isNamed || parse(here).root === here ? [outputDir] : [here, outputDir];
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

const unkept = (key: string, instead: string): Failure =>
  new Failure('bad_input', `${flagOf(key)} has no effect on agent-browser.`, `Leave it out, and use ${instead}.`);
