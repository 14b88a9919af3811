// The config file: where it is found, and one clear line for each mistake in it.
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/config/load.ts';
import { optionKeys } from '../../src/config/options.ts';
import { Failure } from '../../src/errors.ts';
import { FORMATS, type Format, inFormat, makeFolders } from './folders.ts';

/** The line and the code with which a start is stopped by such a file of the working folder. */
async function stopped(name: string, content: string | Uint8Array): Promise<{ line: string; code: string }> {
  const { place, working, put } = makeFolders();
  put(working, name, content);
  return refusal(load([], place));
}

async function refusal(loading: Promise<unknown>): Promise<{ line: string; code: string }> {
  const error = await loading.then(
    () => undefined,
    error => error,
  );
  if (!(error instanceof Failure)) throw new Error(`no Failure, but ${error}`);
  const line = [error.message, error.hint].filter(Boolean).join(' ');
  expect(line).not.toContain('\n');
  return { line, code: error.code };
}

describe.each(FORMATS)('a mistake in %s', format => {
  const name = `tabwright.config.${format}`;
  const first = format === 'json' ? 2 : 1;
  const mistake = (values: Record<string, unknown>) => stopped(name, inFormat(format, values));

  it.each([
    ['maxChar', 'Did you mean maxChars?'],
    ['max-char', 'Did you mean max-chars?'],
    ['max_chars', 'Did you mean maxChars?'],
    ['Headed', 'Did you mean headed?'],
    ['constructor', 'All options: tabwright --help'],
  ])('an unknown key, %s, is told with file, line and the nearest key', async (key, hint) => {
    const { line, code } = await mistake({ locale: 'de', [key]: 5 });
    expect(line).toBe(`${name}:${first + 1}: unknown key "${key}". ${hint}`);
    expect(code).toBe('bad_input');
  });

  it.each([
    ['maxChars', 10, 'maxChars 10: expected a whole number from 1000 to 10000000.'],
    ['max-chars', 'many', 'max-chars "many": expected a whole number from 1000 to 10000000.'],
    ['maxChars', true, 'maxChars true: expected a whole number'],
    ['maxChars', 1500.5, 'maxChars 1500.5: expected a whole number'],
    ['headed', 'maybe', 'headed "maybe": expected true or false.'],
    ['headed', [true], 'headed [true]: expected true or false.'],
    ['viewport', { width: 5, depth: 5 }, 'viewport {"width":5,"depth":5}: expected a width and a height'],
    ['viewport', { width: 5, height: -5 }, 'viewport {"width":5,"height":-5}: expected a width and a height'],
    ['viewport', '1280', 'viewport "1280": expected a width and a height'],
    ['userAgent', 5, 'userAgent 5: expected text.'],
    ['userAgent', '', 'userAgent "": expected text.'],
    ['userAgent', ['a'], 'userAgent ["a"]: expected text.'],
    ['logLevel', 'loud', 'logLevel "loud": expected one of error, warn, info, debug.'],
    ['tools', [], 'tools []: expected names separated by commas.'],
    ['tools', [5], 'tools [5]: expected names separated by commas.'],
    ['tools', ['a b'], 'tools ["a b"]: expected names separated by commas.'],
    ['locale', 'x', 'locale "x": expected a language tag such as de-DE.'],
    ['userAgent', ['x'.repeat(100)], `userAgent ["${'x'.repeat(57)}…: expected text.`],
  ])('a wrong value, %s %j, is told with file, line and key', async (key, value, said) => {
    const { line, code } = await mistake({ port: 5, [key]: value });
    expect(line).toContain(`${name}:${first + 1}: ${said}`);
    expect(code).toBe('bad_input');
  });

  it('a key that stands twice is told, in either spelling', async () => {
    const { line } = await mistake({ maxChars: 2_000, locale: 'de', 'max-chars': 3_000 });
    expect(line).toBe(`${name}:${first + 2}: max-chars stands twice. The first is maxChars in line ${first}.`);
  });

  it('never ends a start in any other way, whatever the text', async () => {
    const { place, working, put } = makeFolders();
    const key = fc.constantFrom(...optionKeys, 'x');
    const texts = fc.oneof(
      fc.string(),
      fc.dictionary(key, fc.jsonValue()).map(values => inFormat(format, values)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async text => {
        const path = put(working, `any.${format}`, text);
        const error = await load(['--config', path], place).catch(error => error);
        if (error instanceof Error) expect(error).toBeInstanceOf(Failure);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a broken file', () => {
  it.each<[Format, string, string]>([
    ['yaml', 'port: 5\nlocale: [de\nheaded: true\n', ':3: not valid YAML: '],
    ['yaml', 'port: 5\nlocale: [de\n', ':2: not valid YAML: '],
    ['yaml', 'port: 5\n\tlocale: de\n', ':2: not valid YAML: '],
    ['yaml', 'port: 5\n---\nport: 6\n', ':2: a second document begins here.'],
    ['yaml', 'locale: !secret de\n', ':1: not valid YAML: Unresolved tag: !secret.'],
    ['yaml', 'port: 5\nlocale: *none\n', ':2: not valid YAML: Unresolved alias'],
    ['yaml', 'port: 5\nlocale:\n', ':2: locale null: expected a language tag'],
    ['yaml', '- port\n- 5\n', ':1: expected keys with values.'],
    ['yaml', '\njust text\n', ':2: expected keys with values.'],
    ['toml', 'port = 5\nlocale = \n', ':2: not valid TOML: '],
    ['toml', 'port = 5\nport = 6\n', ':2: not valid TOML: trying to redefine an already defined table or value.'],
    ['toml', 'port = 5\nlocale = 2020-01-01\n', ':2: locale "2020-01-01": expected a language tag'],
    ['json', '{\n"port": 5\n"locale": "de"\n}\n', ':3: not valid JSON: comma expected.'],
    ['json', '{\n"port": 5\n\n', ':2: not valid JSON: close brace expected.'],
    ['json', '{\n"port": 5,\n"port": 6}', ':3: port stands twice. The first is port in line 2.'],
    ['json', '{\n"locale": null}', ':2: locale null: expected a language tag'],
    ['json', '\n["port", 5]', ':2: expected keys with values.'],
  ])('of %s, %j, is told with its line', async (format, text, said) => {
    const { line, code } = await stopped(`tabwright.config.${format}`, text);
    expect(line).toContain(`tabwright.config.${format}${said}`);
    expect(code).toBe('bad_input');
  });

  it.each(FORMATS)('of %s that is nested without end is told', async format => {
    const deep = '['.repeat(100_000);
    const text = { yaml: `tools: ${deep}`, toml: `tools = ${deep}`, json: `{"tools": ${deep}` }[format];
    expect((await stopped(`tabwright.config.${format}`, text)).line).toContain(`tabwright.config.${format}`);
  });

  it('that is not UTF-8 is told', async () => {
    const utf16 = Buffer.from('\ufeff{"port": 5}', 'utf16le');
    expect((await stopped('tabwright.config.json', utf16)).line).toBe(
      'tabwright.config.json is not UTF-8 text. Save it as UTF-8.',
    );
  });

  it('that is too large is told', async () => {
    expect(await stopped('tabwright.config.yaml', '#'.repeat(1_000_001))).toEqual({
      line: 'Cannot read the config file tabwright.config.yaml: it is larger than 1 MB.',
      code: 'file_error',
    });
  });

  it('that cannot be read is told', async () => {
    const { place, working, put } = makeFolders();
    mkdirSync(join(working, 'tabwright.config.toml'));
    expect((await refusal(load([], place))).line).toContain('tabwright.config.toml: it is not a file.');
    symlinkSync('nowhere.yaml', join(working, 'link.yaml'));
    expect((await refusal(load(['--config', 'link.yaml'], place))).line).toBe('There is no config file link.yaml.');
    const path = put(working, 'locked.yaml', 'port: 5');
    chmodSync(path, 0o000);
    // Root may read everything.
    if (process.getuid?.() === 0) return;
    expect(await refusal(load(['--config', path], place))).toEqual({
      line: 'Cannot read the config file locked.yaml: permission denied.',
      code: 'file_error',
    });
  });
});

describe('what a file may hold', () => {
  it.each([
    ['yaml', ''],
    ['yaml', '# nothing\n'],
    ['yml', '---\n'],
    ['toml', ''],
    ['toml', '# nothing\n'],
    ['json', ''],
    ['json', '{}'],
    ['json', '// nothing'],
  ])('nothing: %s %j', async (ending, text) => {
    const { place, working, put } = makeFolders();
    const path = put(working, `tabwright.config.${ending}`, text);
    const { options, files } = await load([], place);
    expect(options.maxChars).toBe(25_000);
    expect(files).toEqual([path]);
  });

  it.each(FORMATS)('a byte order mark: %s', async format => {
    const { place, working, put } = makeFolders();
    put(working, `tabwright.config.${format}`, `\ufeff${inFormat(format, { maxChars: 2_000 })}`);
    expect((await load([], place)).options.maxChars).toBe(2_000);
  });

  it('what each format has of its own', async () => {
    const { place, working, put } = makeFolders();
    const read = async (name: string, text: string) =>
      (await load(['--config', put(working, name, text)], place)).options;
    const expected = { viewport: { width: 800, height: 600 }, tools: ['core', 'tabs'] };
    expect(await read('a.yaml', 'viewport:\n  width: 800\n  height: 600\ntools:\n  - core\n  - tabs\n')).toMatchObject(
      expected,
    );
    expect(
      await read('a.toml', 'tools = [\n  "core",\n  "tabs",\n]\n[viewport]\nwidth = 800\nheight = 600\n'),
    ).toMatchObject(expected);
    expect(
      await read('a.json', '{ // ours\n"viewport": {"width": 800, "height": 600},\n"tools": ["core", "tabs"],\n}'),
    ).toMatchObject(expected);
  });

  it('paths that start at its own folder, or at home', async () => {
    const { place, user, put } = makeFolders();
    put(user, 'tabwright.config.yaml', 'outputDir: out\nstateDir: ~/state\nuserDataDir: /abs\n');
    const { options } = await load([], place);
    expect(options).toMatchObject({
      outputDir: join(user, 'out'),
      stateDir: join(place.home, 'state'),
      userDataDir: '/abs',
    });
  });

  it('switches of Chrome with spaces in them', async () => {
    const { place, user, put } = makeFolders();
    put(user, 'tabwright.config.yaml', 'chromeArg: ["--js-flags=--expose-gc --max-lazy", "--mute-audio"]\n');
    expect((await load([], place)).options.chromeArg).toEqual(['--js-flags=--expose-gc --max-lazy', '--mute-audio']);
    put(user, 'tabwright.config.yaml', 'chromeArg: --window-name=a b --mute-audio\n');
    expect((await load([], place)).options.chromeArg).toEqual(['--window-name=a b', '--mute-audio']);
  });
});

it('the examples of the docs say the same in each format', async () => {
  const { place, working, put } = makeFolders();
  const page = readFileSync('docs/configuration.md', 'utf8');
  const examples = [...page.matchAll(/```\w+\n(?:#|\/\/) (tabwright\.config\.\w+).*\n([\s\S]*?)```/g)];
  expect(examples.map(([, name]) => name)).toEqual(FORMATS.map(format => `tabwright.config.${format}`));
  for (const [, name = '', text = ''] of examples) {
    const { options } = await load(['--config', put(working, name, text)], place);
    expect(options).toMatchObject({
      headed: true,
      viewport: { width: 1_440, height: 900 },
      maxChars: 30_000,
      tools: ['core', 'tabs'],
    });
  }
});

describe('where files are looked for', () => {
  it('both folders apply, and the working folder wins', async () => {
    const { place, user, working, put } = makeFolders();
    const below = put(user, 'tabwright.config.toml', 'maxChars = 2000\nlocale = "de"\n');
    const above = put(working, 'tabwright.config.yml', 'maxChars: 3000\n');
    const { options, origins, files } = await load([], place);
    expect(options).toMatchObject({ maxChars: 3_000, locale: 'de' });
    expect(origins).toMatchObject({ maxChars: above, locale: below });
    expect(files).toEqual([below, above]);
  });

  it('two files in one folder are refused, and both named', async () => {
    const { place, working, user, put } = makeFolders();
    put(working, 'tabwright.config.toml', '');
    put(working, 'tabwright.config.json', '');
    expect((await refusal(load([], place))).line).toBe(
      'There are several config files: tabwright.config.toml and tabwright.config.json. Keep one of them.',
    );
    put(user, 'tabwright.config.yaml', '');
    put(user, 'tabwright.config.yml', '');
    expect((await refusal(load([], place))).line).toContain(
      `${join(user, 'tabwright.config.yaml')} and ${join(user, 'tabwright.config.yml')}`,
    );
    // A named file is the only one that counts.
    expect((await load(['--config', put(working, 'mine.toml', 'maxChars = 2000')], place)).options.maxChars).toBe(
      2_000,
    );
  });

  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, 'home/.config/tabwright'],
    ['linux', { XDG_CONFIG_HOME: '$ROOT/xdg' }, 'xdg/tabwright'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, 'home/.config/tabwright'],
    ['darwin', {}, 'home/Library/Application Support/tabwright'],
    ['win32', { APPDATA: '$ROOT/roaming' }, 'roaming/tabwright'],
    ['win32', {}, 'home/AppData/Roaming/tabwright'],
  ])('the folder of the user on %s with %j is %s', async (platform, env, folder) => {
    const { place, put } = makeFolders();
    const root = join(place.home, '..');
    const path = put(join(root, folder), 'tabwright.config.yaml', 'maxChars: 2000\n');
    const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('$ROOT', root)]));
    const { origins } = await load([], { ...place, platform, env: filled });
    expect(origins.maxChars).toBe(path);
  });

  it('run inside the folder of the user, its file is read once and trusted', async () => {
    const { place, user, put } = makeFolders();
    const path = put(user, 'tabwright.config.yaml', 'proxy: http://a:1\n');
    expect(await load([], { ...place, cwd: user })).toMatchObject({ options: { proxy: 'http://a:1' }, files: [path] });
  });

  it('a file whose folder cannot be entered stops the start', async () => {
    const { place, put, working } = makeFolders();
    const file = put(working, 'file', '');
    // Not a folder is as good as none.
    expect((await load([], { ...place, env: { XDG_CONFIG_HOME: file } })).files).toEqual([]);
    expect((await refusal(load([], { ...place, cwd: `${working}/${'x'.repeat(300)}` }))).code).toBe('file_error');
  });
});

it('options that exclude each other do so over all layers, and the error says where they stand', async () => {
  const { place, user, put } = makeFolders();
  const path = put(user, 'tabwright.config.yaml', 'cdpEndpoint: http://a:1\n');
  const both = (argv: string[], env: Record<string, string> = {}) => refusal(load(argv, { ...place, env }));
  expect((await both(['--user-data-dir=/p'])).line).toBe(
    `--user-data-dir and cdpEndpoint in ${path} exclude each other: give one of them.`,
  );
  expect((await both([], { TABWRIGHT_USER_DATA_DIR: '/p' })).line).toContain(
    `TABWRIGHT_USER_DATA_DIR and cdpEndpoint in ${path} exclude`,
  );
});
