// The table of clients: the place of each file per system, and the program that starts Tabwright.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../../src/config/environment.ts';
import { load } from '../../../src/config/load.ts';
import { CLIENTS, stdioEntry } from '../../../src/surfaces/cli/config/clients.ts';
import { folder } from '../../call/stand-in.ts';

const at = (platform: NodeJS.Platform, env: Record<string, string> = {}): Environment => ({
  env,
  platform,
  home: '/home/ann',
  cwd: '/home/ann/work',
});

describe('the file', () => {
  it.each<[string, Environment, string]>([
    ['claude-desktop', at('linux'), '/home/ann/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', at('darwin'), '/home/ann/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', at('win32', { APPDATA: '/roaming' }), '/roaming/Claude/claude_desktop_config.json'],
    ['claude-code', at('darwin'), '/home/ann/.claude.json'],
    ['claude-code', at('linux', { CLAUDE_CONFIG_DIR: '/claude' }), '/claude/.claude.json'],
    ['cursor', at('win32'), '/home/ann/.cursor/mcp.json'],
    ['vscode', at('linux', { XDG_CONFIG_HOME: '/xdg' }), '/xdg/Code/User/mcp.json'],
    ['vscode', at('darwin'), '/home/ann/Library/Application Support/Code/User/mcp.json'],
    ['vscode', at('win32'), '/home/ann/AppData/Roaming/Code/User/mcp.json'],
    ['windsurf', at('linux'), '/home/ann/.codeium/windsurf/mcp_config.json'],
  ])('of %s', (client, place, path) => {
    expect(CLIENTS[client]?.file(place)).toBe(path);
  });
});

describe('the program', () => {
  async function entry(script: string, place: Environment, link?: string) {
    const root = await folder();
    const path = join(root, script);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    if (link) symlinkSync(path, join(root, link));
    const started = link ? join(root, link) : path;
    const { command, args } = stdioEntry(CLIENTS.cursor!, await load([], at('linux')), place, started);
    return { command, args, path };
  }
  const node = dirname(process.execPath);

  it('of an installed package is npx, also through a link to it', async () => {
    const place = at('linux', { PATH: node });
    const npx = { command: 'npx', args: ['-y', 'tabwright'] };
    expect(await entry('node_modules/tabwright/dist/tabwright.js', place)).toMatchObject(npx);
    expect(await entry('node_modules/tabwright/dist/tabwright.js', place, 'tabwright')).toMatchObject(npx);
  });

  it('of an installed package on Windows is npx in a shell', async () => {
    expect(await entry('node_modules/tabwright/dist/tabwright.js', at('win32'))).toMatchObject({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'tabwright'],
    });
  });

  it('of a clone is node and the path; the very node where none is on the path', async () => {
    const found = await entry('clone/dist/tabwright.js', at('linux', { PATH: `/nowhere:${node}` }));
    expect(found).toMatchObject({ command: 'node', args: [found.path] });
    for (const PATH of ['', '/nowhere'])
      expect(await entry('clone/dist/tabwright.js', at('linux', { PATH }))).toMatchObject({
        command: process.execPath,
      });
  });
});
