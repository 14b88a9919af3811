// The skill: its form by the rules of the open format, and every command in it, run.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { splitWords } from '../../../src/surfaces/cli/shell/split-words.ts';
import { Shell } from './shell.ts';

const FOLDER = 'skills/tabwright';
const REFERENCES = readdirSync(join(FOLDER, 'references')).map(name => `references/${name}`);
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const SKILL = read('SKILL.md');

/** Keys that the format has; others are refused. */
const KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/** What is wrong with a skill, by agentskills.io/specification. */
function faultsOf(text: string, folder: string): string[] {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === '') return ['no frontmatter'];
  const fields: Record<string, unknown> = parse(head) ?? {};
  const { name, description, compatibility = '' } = fields;
  const isText = (value: unknown, most: number) =>
    typeof value === 'string' && value.length > 0 && value.length <= most;
  return [
    ...Object.keys(fields)
      .filter(key => !KEYS.includes(key))
      .map(key => `unknown key ${key}`),
    ...(isText(name, 64) && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(String(name)) ? [] : ['name']),
    ...(name === folder ? [] : ['name is not that of its folder']),
    ...(isText(description, 1_024) ? [] : ['description']),
    ...(typeof compatibility === 'string' && compatibility.length <= 500 ? [] : ['compatibility']),
    ...(body.trim() === '' ? ['no body'] : []),
    ...(text.split('\n').length < 150 ? [] : ['too long']),
  ];
}

describe('the form of the skill', () => {
  it('is right', () => {
    expect(faultsOf(SKILL, basename(FOLDER))).toEqual([]);
    expect(parse(/^---\n([\s\S]*?)\n---/.exec(SKILL)?.[1] ?? '').description).toMatch(/\bUse it (?:to|whenever)\b/);
  });

  it('would be found wrong', () => {
    expect(faultsOf('# x', 'x')).toEqual(['no frontmatter']);
    expect(faultsOf(`---\nname: A_b\ndescription: ''\nhidden: true\n---\n`, 'x')).toEqual([
      'unknown key hidden',
      'name',
      'name is not that of its folder',
      'description',
      'no body',
    ]);
  });

  it('names every reference, one level deep, and no other', () => {
    const linked = [...SKILL.matchAll(/\]\((references\/[^)]+)\)/g)].map(([, path]) => path);
    expect(linked.sort()).toEqual(REFERENCES.sort());
    for (const name of REFERENCES) expect(read(name)).not.toMatch(/\]\((?!https?:)/);
  });

  it('begins with a loop of four lines', () => {
    const [, loop = ''] = /```sh\n([\s\S]*?)```/.exec(SKILL) ?? [];
    expect(loop.trim().split('\n')).toHaveLength(4);
  });
});

/** The elements have the refs that the skill uses. */
const PAGE = `<title>Example</title>${'<button>Filler</button>'.repeat(2)}
<button>Send</button>${'<button>Filler</button>'.repeat(3)}
<label>Name <input></label><button>Filler</button>
<select aria-label=Country><option>Italy<option>Japan</select>
<label><input type=checkbox>Agreed</label><input type=file aria-label=File>
<p>More information</p><p>Done</p><p style="height: 3000px">A long page, with words enough to be read.</p>`;

describe('the commands of the skill', () => {
  const shell = new Shell();
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  let site = '';
  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    writeFileSync(join(shell.folder.path, 'note.txt'), 'hello');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await shell.end();
  });

  const linesOf = (text: string): string[] =>
    [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));

  /** What a line of a shell does with the command: what it pipes in, and where the output goes. */
  async function runLine(line: string): Promise<void> {
    const [piped, rest = piped] = line.includes(' | ') ? line.split(' | ', 2) : [undefined, line];
    const words = splitWords((rest ?? '').replace(/ > \S+/, '').replaceAll('https://example.com', site));
    const [, echoed = '', file] = /^(?:echo '(.*)'|cat (\S+))$/.exec(piped ?? '') ?? [];
    const input = file === undefined ? echoed : readFileSync(join(shell.folder.path, file), 'utf8');
    expect(words.shift(), line).toBe('tabwright');
    if (words[0] === 'dialog') await shell.out('eval', 'void setTimeout(() => alert(1))');
    const { code, stderr } = await shell.run(words, { input });
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  }

  it('all work, from the first to the last', async () => {
    for (const line of linesOf(SKILL)) await runLine(line);
  }, 120_000);

  it.each(REFERENCES)(
    'those of %s too',
    async name => {
      const text = read(name);
      const [, steps = ''] = /```text\n([\s\S]*?)```/.exec(text) ?? [];
      writeFileSync(join(shell.folder.path, 'steps.txt'), steps.replaceAll('https://example.com', site));
      await shell.out('open', site);
      for (const line of linesOf(text)) await runLine(line);
    },
    120_000,
  );

  it('are all named by their right names, in running text too', async () => {
    const inText = [SKILL, ...REFERENCES.map(read)].flatMap(text => [
      ...text.replace(/```[\s\S]*?```/g, '').matchAll(/`(tabwright [^`]+)`/g),
    ]);
    expect(inText.length).toBeGreaterThan(5);
    for (const [, line = ''] of inText) {
      const [, word = ''] = splitWords(line);
      if (!['skills', 'TOOL', 'call'].includes(word))
        expect(await shell.run([word, '--help']), line).toMatchObject({ code: 0 });
    }
  }, 60_000);

  it('are printed by the installed version', async () => {
    expect(await shell.out('skills')).toBe(SKILL);
    for (const name of REFERENCES) expect(await shell.out('skills', basename(name, '.md'))).toBe(read(name));
    expect(await shell.run(['skills', 'scirpts'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean scripts?'),
    });
  });
});
