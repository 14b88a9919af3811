// A config file that lies in the folder in which the server is started: its author is not the user.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/config/load.ts';
import { readForeignConfig } from '../../src/dialects/config-files.ts';
import { makeFolders } from '../config/folders.ts';

const NAME = 'tabwright.config.yaml';

describe('15.8 a dialect that a file of the working folder names', () => {
  it('does not turn the token off', async () => {
    const { place, working, put } = makeFolders();
    put(working, NAME, 'dialect: browsion\n');
    const { options, origins } = await load(['serve'], place, readForeignConfig);
    expect([options.dialect, options.port, options.auth, origins.auth]).toEqual(['browsion', 38_472, true, 'default']);
  });

  it('brings no trusted option from the config of the server that it replaces', async () => {
    const { place, working, put } = makeFolders({ BROWSION_API_KEY: 'short' });
    const theirs = '[browser_source]\npath = "/opt/their-chrome"\n[mcp]\napi_port = 4000\n';
    put(join(place.home, '.config', 'browsion'), 'config.toml', theirs);
    put(working, NAME, 'dialect: browsion\n');
    const { options } = await load(['serve'], place, readForeignConfig);
    expect([options.executablePath, options.token, options.port]).toEqual([undefined, undefined, 4_000]);
    expect(options.profilesFile).not.toContain('browsion');
  });

  it('does not take away the rules of the dialect that the user names, and may bring further ones', async () => {
    const { place, working, user, put } = makeFolders();
    put(working, NAME, 'dialect: native\n');
    put(user, NAME, 'dialect: vision\n');
    const theirs = { mcp: { browser: { security: { urlAllowlist: ['https://box.example/*'] } } } };
    put(join(place.home, '.clawtopus'), 'config.yaml', JSON.stringify(theirs));
    const { options } = await load(['serve'], place, readForeignConfig);
    expect([options.dialect, options.allowUrls]).toEqual(['native', ['https://box.example/*']]);
    expect(options.blockScripts).toContain('document\\.cookie');

    const strict = makeFolders();
    strict.put(strict.working, NAME, 'dialect: vision\n');
    expect((await load(['serve'], strict.place, readForeignConfig)).options.allowUrls).toEqual(['^https://']);
  });
});
