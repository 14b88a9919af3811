// The settings file of a client: merged without loss, all or nothing.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { mergeInto } from '../../../src/surfaces/cli/config/client-file.ts';
import { folder } from '../../call/stand-in.ts';

/** Drafts have a name that is known. */
vi.mock('node:crypto', async original => ({
  ...(await original<typeof import('node:crypto')>()),
  randomBytes: (size: number) => Buffer.alloc(size),
}));

const ENTRY = { command: 'node', args: ['x.js'] };
let root: string;
let file: string;

beforeEach(async () => {
  root = await folder();
  file = join(root, 'mcp.json');
});

const merge = (entry: Record<string, unknown> = ENTRY) => mergeInto(file, ['mcpServers', 'tabwright'], entry);

async function merged(text: string): Promise<string> {
  writeFileSync(file, text);
  expect(await merge()).toEqual({ file, changed: true, backup: `${file}.bak` });
  return readFileSync(file, 'utf8');
}

describe('the text', () => {
  const whole =
    '{\n  "mcpServers": {\n    "tabwright": {\n      "command": "node",\n      "args": [\n        "x.js"\n      ]\n    }\n  }\n}';

  it('of a new file is laid out', async () => {
    file = join(root, 'a', 'b', 'mcp.json');
    expect(await merge()).toEqual({ file, changed: true });
    expect(readFileSync(file, 'utf8')).toBe(`${whole}\n`);
  });

  it.each(['', '\n', '{}', '// only this\n{}', '// only this', '{ "mcpServers": {} }'])(
    '%j gets the entry',
    async text => {
      expect(parse(await merged(text))).toEqual({ mcpServers: { tabwright: ENTRY } });
    },
  );

  it('keeps tabs, line ends and a byte order mark', async () => {
    const text = await merged('\ufeff{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"b": {}\r\n\t}\r\n}\r\n');
    expect(text).toBe(
      '\ufeff{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"b": {},\r\n\t\t"tabwright": {\r\n\t\t\t"command": "node",\r\n\t\t\t"args": [\r\n\t\t\t\t"x.js"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it('keeps what a user has added to the entry', async () => {
    const text = await merged(
      '{"mcpServers": {"tabwright": {"command": "old", /* mine */ "env": {"A": "1"}, "args": []}}}',
    );
    expect(text).toContain('/* mine */ "env": {"A": "1"}');
    expect(parse(text).mcpServers.tabwright).toEqual({ ...ENTRY, env: { A: '1' } });
  });

  it('replaces an entry of another kind', async () => {
    const text = await merged('{"mcpServers": {"tabwright": {"url": "http://x/mcp", "headers": {}}}}');
    expect(parse(text).mcpServers.tabwright).toEqual(ENTRY);
  });

  it('keeps whatever else is there', async () => {
    const others = fc.dictionary(
      fc.string().filter(key => key !== 'tabwright' && key !== '__proto__'),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(others, others, async (settings, servers) => {
        writeFileSync(file, JSON.stringify({ ...settings, mcpServers: servers }, null, 2));
        await merge();
        const now = JSON.parse(readFileSync(file, 'utf8'));
        expect(now).toEqual(JSON.parse(JSON.stringify({ ...settings, mcpServers: { ...servers, tabwright: ENTRY } })));
      }),
      { numRuns: 50 },
    );
  });
});

describe('the same entry', () => {
  it('changes nothing, and makes no backup', async () => {
    writeFileSync(file, '{"mcpServers":{"tabwright":{"args":["x.js"],"command":"node","env":{}}}}');
    const before = statSync(file);
    expect(await merge()).toEqual({ file, changed: false });
    expect(statSync(file)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino });
    expect(readdirSync(root)).toEqual(['mcp.json']);
  });
});

describe('a file that cannot be merged is left alone', () => {
  it.each([
    ['{"a": 1', 'is not valid JSON (CloseBraceExpected)'],
    ['{"a": }', 'is not valid JSON'],
    ['[]', 'is no JSON object'],
    ['"x"', 'is no JSON object'],
    ['{"mcpServers": []}', '"mcpServers" of'],
    ['{"mcpServers": null}', '"mcpServers" of'],
    ['{"mcpServers": {}, "mcpServers": {}}', 'A key of'],
  ])('%s', async (text, said) => {
    writeFileSync(file, text);
    await expect(merge()).rejects.toMatchObject({ code: 'file_error', message: expect.stringContaining(said) });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(root)).toEqual(['mcp.json']);
  });

  it('that is no text, or no file', async () => {
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    await expect(merge()).rejects.toMatchObject({ code: 'file_error' });
    file = root;
    await expect(merge()).rejects.toThrow('it is not a file');
  });
});

describe('on the disk', () => {
  it('no backup is ever lost', async () => {
    writeFileSync(file, '{}');
    writeFileSync(`${file}.bak`, 'older');
    writeFileSync(`${file}.bak.1`, 'old');
    expect((await merge()).backup).toBe(`${file}.bak.2`);
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe('older');
    expect(readFileSync(`${file}.bak.2`, 'utf8')).toBe('{}');
  });

  it.each([0o600, 0o664])('the mode %o stays, of the backup too', async mode => {
    writeFileSync(file, '{}');
    chmodSync(file, mode);
    await merge();
    expect(statSync(file).mode & 0o777).toBe(mode);
    expect(statSync(`${file}.bak`).mode & 0o777 & ~mode).toBe(0);
  });

  it('a link stays a link, and what it leads to is changed', async () => {
    mkdirSync(join(root, 'dotfiles'));
    const real = join(root, 'dotfiles', 'real.json');
    writeFileSync(real, '{"a": 1}');
    symlinkSync('dotfiles/real.json', file);
    expect(await merge()).toEqual({ file, changed: true, backup: `${file}.bak` });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ a: 1, mcpServers: { tabwright: ENTRY } });
    expect(readdirSync(join(root, 'dotfiles'))).toEqual(['real.json']);
  });

  it('a link to nothing yet is followed too', async () => {
    symlinkSync('dotfiles/real.json', file);
    expect(await merge()).toEqual({ file, changed: true });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(existsSync(join(root, 'dotfiles', 'real.json'))).toBe(true);
  });

  it('nothing half written is left behind', async () => {
    writeFileSync(file, '{}');
    // The name of the draft is taken.
    mkdirSync(`${file}.00000000.part`);
    await expect(merge()).rejects.toMatchObject({
      code: 'file_error',
      message: `Cannot write ${file}: file already exists.`,
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});
