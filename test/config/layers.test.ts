// Every option of the table, set by file (YAML, TOML, JSON), environment and flag: each wins over the one before.
import { describe, expect, it } from 'vitest';
import { load } from '../../src/config/load.ts';
import { envOf, flagOf, type OptionKey, optionKeys, optionOf } from '../../src/config/options.ts';
import { FORMATS, inFormat, makeFolders } from './folders.ts';

/** A value as it is typed, as a file can say it without quotes, and as the program gets it. */
interface Sample {
  typed: string;
  native?: unknown;
  read: unknown;
}

const same = (...texts: string[]): Sample[] => texts.map(text => ({ typed: text, read: text }));
const numbers = (...values: number[]): Sample[] =>
  values.map(value => ({ typed: String(value), native: value, read: value }));
const lists = (...values: string[][]): Sample[] =>
  values.map(value => ({ typed: value.join(','), native: value, read: value }));
const spaced = (...values: string[][]): Sample[] =>
  values.map(value => ({ typed: value.join(' '), native: value, read: value }));
const switched = (value: boolean): Sample => ({ typed: String(value), native: value, read: value });
const sized = (width: number, height: number): Sample => ({
  typed: `${width}x${height}`,
  native: { width, height },
  read: { width, height },
});

/** Three values that differ from each other and from the default, by what --help shows for the kind. */
const SAMPLES: Record<string, Sample[]> = {
  path: same('/a/1', '/a/2', '/a/3'),
  folder: [['/b/1'], ['/b/2', '/b/3'], ['/b/4']].map(value => ({ typed: value.join(':'), native: value, read: value })),
  url: same('http://a:1', 'http://a:2', 'http://a:3'),
  address: spaced(['ws://a:1'], ['http://b:2', 'selenium+https://c:3/x'], ['wss://d']),
  header: [['A: 1'], ['B: 2', 'C: 3 4'], ['D: 5']].map(value => ({
    typed: value.join('\n'),
    native: value,
    read: value,
  })),
  text: same('one', 'two', 'three'),
  tag: same('de', 'fr-FR', 'en-GB'),
  zone: same('Europe/Berlin', 'Asia/Tokyo', 'UTC'),
  ms: numbers(11, 12, 13),
  count: numbers(1_001, 1_002, 1_003),
  number: numbers(1, 2, 3),
  bytes: numbers(20_001, 20_002, 20_003),
  percent: numbers(51, 52, 53),
  word: same('one-secret-of-many', 'two-secrets-of-many', 'three-secrets-of-many'),
  switch: spaced(['--mute-audio'], ['--lang=de', '--window-name=a b'], ['--x']),
  pattern: spaced(['*.a.test'], ['https://b.test/**', 'c.test'], ['^https://d']),
  regex: spaced(['eval\\('], ['a+', 'b|c'], ['^d']),
  'a,b,…': lists(['core'], ['tabs', 'forms'], ['wait']),
  'host,…': lists(['a.test'], ['b.test', 'c.test'], ['d.test']),
  WxH: [sized(10, 20), sized(30, 40), sized(50, 60)],
};

function samplesOf(key: OptionKey): [Sample, Sample, Sample] {
  const { kind, default: fallback } = optionOf(key);
  const others = kind.value?.includes('|') ? kind.value.split('|').filter(word => word !== fallback) : [];
  // Of few choices, the default is one of the three.
  const choices = same(...(others.length > 0 && others.length < 3 ? [...others, String(fallback), ...others] : others));
  const switches = kind.value === undefined ? [!fallback, Boolean(fallback), !fallback].map(switched) : [];
  const [file, environment, flag] = [...choices, ...switches, ...(SAMPLES[kind.value ?? ''] ?? [])];
  if (!file || !environment || !flag) throw new Error(`three values for ${key} are missing in SAMPLES`);
  return [file, environment, flag];
}

const flagsFor = (key: OptionKey, { typed, native }: Sample): string[] =>
  optionOf(key).kind.repeat && Array.isArray(native)
    ? native.map(text => `${flagOf(key)}=${text}`)
    : [`${flagOf(key)}=${typed}`];

/** An option that names the file cannot be said by one. */
const inFiles = optionKeys.filter(key => !optionOf(key).notInFile);
const cases = inFiles.flatMap(key => FORMATS.map(format => ({ key, format })));

describe('every option', () => {
  it.each(cases)('$key: default < $format < environment < flag', async ({ key, format }) => {
    const [inFile, inEnvironment, asFlag] = samplesOf(key);
    const { place, user, put } = makeFolders();
    const env = { [envOf(key)]: inEnvironment.typed };
    const flags = flagsFor(key, asFlag);

    const bare = await load([], place);
    expect(bare.options[key]).not.toEqual(inFile.read);
    expect(bare.origins[key]).toBe('default');

    const path = put(user, `tabwright.config.${format}`, inFormat(format, { [key]: inFile.typed }));
    expect(await pick(key, load([], place))).toEqual({ value: inFile.read, origin: path });
    expect(await pick(key, load([], { ...place, env }))).toEqual({ value: inEnvironment.read, origin: envOf(key) });
    expect(await pick(key, load(flags, { ...place, env }))).toEqual({ value: asFlag.read, origin: flagOf(key) });
    expect(await pick(key, load(flags, place))).toEqual({ value: asFlag.read, origin: flagOf(key) });
  });

  it.each(cases)('$key: $format takes it with dashes, and as the format itself writes it', async ({ key, format }) => {
    const [{ typed, native = typed, read }] = samplesOf(key);
    const { place, user, put } = makeFolders();
    put(user, `tabwright.config.${format}`, inFormat(format, { [flagOf(key).slice(2)]: native }));
    expect((await load([], place)).options[key]).toEqual(read);
  });

  it.each(cases.filter(({ key }) => !optionOf(key).trusted))(
    '$key: $format of the working folder wins over that of the user',
    async ({ key, format }) => {
      const [first, second] = samplesOf(key);
      const { place, user, working, put } = makeFolders();
      put(user, 'tabwright.config.json', inFormat('json', { [key]: first.typed }));
      const path = put(working, `tabwright.config.${format}`, inFormat(format, { [key]: second.typed }));
      expect(await pick(key, load([], place))).toEqual({ value: second.read, origin: path });
    },
  );

  it.each(cases.filter(({ key }) => optionOf(key).trusted))(
    '$key: $format of the working folder may not say it',
    async ({ key, format }) => {
      const [{ typed }] = samplesOf(key);
      const { place, user, working, put } = makeFolders();
      put(working, `tabwright.config.${format}`, inFormat(format, { [key]: typed }));
      const line = format === 'json' ? 2 : 1;
      await expect(load([], place)).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining(
          `tabwright.config.${format}:${line}: ${key} is not taken from the working folder`,
        ),
        hint: `It may stand in ${user}/tabwright.config.yaml, in a file named by --config, in ${envOf(key)} or behind ${flagOf(key)}.`,
      });
      // Named by the user, the same file is trusted.
      const named = await load(['--config', `tabwright.config.${format}`], place);
      expect(named.origins[key]).toBe(`${working}/tabwright.config.${format}`);
    },
  );

  it('config: by environment and flag only', async () => {
    const { place, working, put } = makeFolders();
    const first = put(working, 'first.yaml', 'maxChars: 2000');
    const second = put(working, 'second.toml', 'maxChars = 3000');
    const env = { TABWRIGHT_CONFIG: 'first.yaml' };
    expect(await load([], { ...place, env })).toMatchObject({ options: { maxChars: 2_000 }, files: [first] });
    expect(await load(['--config=second.toml'], { ...place, env })).toMatchObject({
      options: { maxChars: 3_000, config: second },
      files: [second],
    });
    put(working, 'first.yaml', 'config: second.toml');
    await expect(load([], { ...place, env })).rejects.toThrow('first.yaml:1: config cannot stand in a config file.');
  });
});

async function pick(key: OptionKey, loading: ReturnType<typeof load>) {
  const { options, origins } = await loading;
  return { value: options[key], origin: origins[key] };
}
