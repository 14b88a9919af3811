// What the dialect browsion sets by itself, what its config file says, and who wins.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/config/environment.ts';
import { load as loadOptions } from '../../src/config/load.ts';
import { readForeignConfig } from '../../src/dialects/config-files.ts';
import { temporaryFolder } from '../surfaces/process.ts';

const load = (argv: readonly string[], place: Environment) => loadOptions(argv, place, readForeignConfig);

const folder = temporaryFolder();
afterAll(() => folder.remove());

const home = folder.path;
const file = join(home, '.config', 'browsion', 'config.toml');
const place = (env: Record<string, string> = {}) => ({ env, platform: 'linux' as const, home, cwd: home });
const loaded = (args: string[] = [], env?: Record<string, string>) =>
  load(['serve', '--dialect', 'browsion', ...args], place(env));

describe('S4-05 S4-07 the options of the dialect browsion', () => {
  it('are its own where nobody says otherwise', async () => {
    const { options, warnings } = await loaded();
    expect(options).toMatchObject({ port: 38_472, auth: false, host: '127.0.0.1', profilesFile: file });
    expect(options.token).toBeUndefined();
    expect(warnings).toEqual([]);
    expect((await load(['serve'], place())).options).toMatchObject({ port: 9223, auth: true });
  });

  it('the file is weaker than its variables, and they are weaker than flags', async () => {
    mkdirSync(join(home, '.config', 'browsion'), { recursive: true });
    writeFileSync(
      file,
      'api_port = 1001\n[mcp]\napi_key = "short"\n[browser_source]\ntype = "custom"\npath = "/opt/chrome"\n',
    );
    const ofFile = await loaded();
    expect(ofFile.options).toMatchObject({ port: 1001, auth: true, token: 'short', executablePath: '/opt/chrome' });
    expect(ofFile.origins).toMatchObject({ port: `api_port in ${file}`, token: file });
    const variables = { BROWSION_API_PORT: '1002', BROWSION_API_KEY: 'other' };
    const ofVariables = await loaded([], variables);
    expect(ofVariables.options).toMatchObject({ port: 1002, token: 'other' });
    expect(ofVariables.origins).toMatchObject({ port: 'BROWSION_API_PORT', token: 'BROWSION_API_KEY' });
    expect((await loaded(['--port', '1003'], variables)).options.port).toBe(1003);
  });

  it('another file may be named, and then it is that file', async () => {
    const other = join(home, 'other.toml');
    writeFileSync(other, 'api_port = 1004\nstrange = 1\n[settings]\nanything = true\n');
    const { options, warnings } = await loaded(['--profiles-file', other]);
    expect(options).toMatchObject({ port: 1004, profilesFile: other });
    expect(warnings).toEqual([`${other}:2: "strange" means nothing here.`]);
  });

  it('a variable that cannot be right is named, a key is not shown', async () => {
    await expect(loaded([], { BROWSION_API_PORT: 'x' })).rejects.toThrow('BROWSION_API_PORT: expected a whole number');
    await expect(loaded([], { BROWSION_API_KEY: 'two words' })).rejects.toThrow('BROWSION_API_KEY: expected one word.');
  });

  it('other dialects do not read it', async () => {
    expect((await load(['serve'], place({ BROWSION_API_PORT: 'x' }))).options.port).toBe(9223);
  });
});
