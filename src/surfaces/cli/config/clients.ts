// The table of MCP clients: where each keeps its settings, and what has to stand there for Tabwright.
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { type Environment, settingsFolder } from '../../../config/environment.ts';
import { textOf } from '../../../config/kinds.ts';
import type { Loaded } from '../../../config/load.ts';
import { nearest } from '../../../config/nearest.ts';
import { flagOf, type Options, optionKeys, optionOf } from '../../../config/options.ts';
import { Failure } from '../../../errors.ts';
import { originOf } from '../../http/auth/host-origin.ts';

export interface Client {
  name: string;
  /** The settings of the user, for all projects. */
  file(environment: Environment): string;
  /** The key under which its servers stand. */
  servers: 'mcpServers' | 'servers';
  /** Clients that ask each server for its type. */
  type?: 'stdio';
}

export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-desktop': {
    name: 'Claude Desktop',
    file: environment => join(settingsFolder(environment), 'Claude', 'claude_desktop_config.json'),
    servers: 'mcpServers',
  },
  'claude-code': {
    name: 'Claude Code',
    file: ({ env, home }) => join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    servers: 'mcpServers',
    type: 'stdio',
  },
  cursor: { name: 'Cursor', file: ({ home }) => join(home, '.cursor', 'mcp.json'), servers: 'mcpServers' },
  vscode: {
    name: 'VS Code',
    file: environment => join(settingsFolder(environment), 'Code', 'User', 'mcp.json'),
    servers: 'servers',
    type: 'stdio',
  },
  windsurf: {
    name: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    servers: 'mcpServers',
  },
};

/** Clients with a file of their own. */
export const clientNames = Object.keys(CLIENTS);

/** Any other client, over HTTP. */
export const HTTP = 'http';

/** The key of Tabwright's entry. */
export const ENTRY = 'tabwright';

export type Entry = Readonly<Record<string, unknown>>;

export function readClient(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const [close] = nearest(name, known);
  const list = `Clients: ${known.join(', ')}.`;
  throw new Failure('bad_input', `Unknown client ${name}.`, close ? `Did you mean ${close}? ${list}` : list);
}

/** What starts Tabwright for a client, with the options that stand on this command line. */
export function stdioEntry(
  { type }: Pick<Client, 'type'>,
  loaded: Loaded,
  environment: Environment,
  script: string,
): Entry {
  const [command, ...args] = [...program(environment, realpathSync(script)), ...givenFlags(loaded)];
  return { ...(type && { type }), command, args };
}

/** From a package by its name, from a clone by its path. */
function program(environment: Environment, script: string): string[] {
  const isPackage = script.split(sep).includes('node_modules');
  if (!isPackage) return [isOnPath('node', environment) ? 'node' : process.execPath, script];
  // What npm puts on the path of Windows is no program, but a script for its shell.
  return [...(environment.platform === 'win32' ? ['cmd', '/c'] : []), 'npx', '-y', 'tabwright'];
}

function isOnPath(name: string, { env, platform }: Environment): boolean {
  const file = platform === 'win32' ? `${name}.exe` : name;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
  return folders.some(folder => isRunnable(join(folder, file)));
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Options that were given as flags, with paths that hold in any folder. Those of HTTP mean nothing on stdio. */
function givenFlags({ options, origins }: Loaded): string[] {
  return optionKeys
    .filter(key => origins[key] === flagOf(key) && optionOf(key).section !== 'HTTP')
    .flatMap(key => {
      const value: unknown = options[key];
      if (value === true) return flagOf(key);
      const texts = optionOf(key).kind.repeat && Array.isArray(value) ? value : [textOf(value)];
      return texts.map(text => `${flagOf(key)}=${text}`);
    });
}

/** How a client reaches `tabwright serve`; the token is not shown, only where it stands. */
export function httpEntry({ host, port, auth }: Options): Entry {
  const headers = { Authorization: 'Bearer <token>' };
  return { type: 'http', url: `${originOf(host, port)}/mcp`, ...(auth && { headers }) };
}
