// --policy through the built command: a file that is wrong in any way stops every start that would run calls.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../process.ts';
import { runCommand } from './command.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

let count = 0;
function put(text: string, ending = 'yaml'): string {
  const path = join(folder.path, `p${++count}.${ending}`);
  writeFileSync(path, text);
  return path;
}

const START: Record<string, string[]> = {
  mcp: [],
  serve: ['serve', '--port', '0'],
  call: ['call', 'auth_state', 'action=list'],
};

describe.each(Object.entries(START))('%s', (_name, start) => {
  it.each([
    ['default: sometimes\n', 2, /:1: default "sometimes": expected one of allow, deny, ask\.$/],
    ['rules:\n  - decision: deny\n    tols: click\n', 2, /:3: unknown key "tols"\. Did you mean tool\?$/],
    ['rules:\n  - {decision: deny, tool: clik}\n', 2, /:2: no tool is called clik\. Did you mean click\?$/],
    ['rules: [\n', 2, /:1: not valid YAML: /],
    ['', 2, /says nothing\./],
  ])('does not start with %j', async (text, code, line) => {
    const path = put(text);
    const ended = await runCommand(folder.path, [...start, '--policy', path]);
    expect(ended.code).toBe(code);
    expect(ended.stderr.trim()).toMatch(line);
    expect(ended.stderr).toMatch(/^tabwright: /);
    expect(ended.stdout).toBe('');
  });

  it('does not start without the file, nor with one that is none', async () => {
    const missing = await runCommand(folder.path, [...start, '--policy', join(folder.path, 'none.yaml')]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no policy file') });
    const directory = join(folder.path, `d${++count}.yaml`);
    mkdirSync(directory);
    const none = await runCommand(folder.path, [...start, '--policy', directory]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not a file') });
  });

  it.skipIf(process.getuid?.() === 0)('does not start with a file that it may not read', async () => {
    const path = put('default: allow\n');
    chmodSync(path, 0o000);
    const ended = await runCommand(folder.path, [...start, '--policy', path]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('permission denied') });
  });
});

describe('a good file', () => {
  it.each([
    ['yaml', 'rules:\n  - {decision: deny, tool: auth_state}\n'],
    ['toml', '[[rules]]\ndecision = "deny"\ntool = "auth_state"\n'],
    ['json', '{"rules": [{"decision": "deny", "tool": "auth_state"}]}'],
  ])('in %s is obeyed', async (ending, text) => {
    const path = put(text, ending);
    const refused = await runCommand(folder.path, ['call', 'auth_state', 'action=list', '--json', '--policy', path]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      success: false,
      code: 'refused',
      error: `auth_state is refused: rule "rule 1 of p${count}.${ending}".`,
    });
    const other = await runCommand(folder.path, ['call', 'downloads', '--policy', path]);
    expect(other).toMatchObject({ code: 0, stdout: 'No downloads.\n' });
  });

  it('lets MCP start, and may be named in the environment', async () => {
    const env = { TABWRIGHT_POLICY: put('default: deny\n') };
    expect(await runCommand(folder.path, [], { env })).toMatchObject({ code: 0, stderr: '' });
    const refused = await runCommand(folder.path, ['call', 'downloads'], { env });
    expect(refused.stdout + refused.stderr).toContain(`rule "default of p${count}.yaml"`);
  });

  it('may be named in a config file', async () => {
    const config = join(folder.path, 'tabwright.config.yaml');
    writeFileSync(config, `policy: ${put('default: deny\n')}\n`);
    const named = await runCommand(folder.path, ['call', 'downloads', '--config', config]);
    expect(named.stdout + named.stderr).toContain('is refused');
  });
});
