// `tabwright call` and a rule that asks: a question on a terminal, a refusal where nobody would see it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE, cleanEnv, temporaryFolder } from '../process.ts';
import { runCommand, type Serve, startServe } from './command.ts';

const folder = temporaryFolder();
const policy = join(folder.path, 'policy.yaml');
beforeAll(() => writeFileSync(policy, 'rules:\n  - {name: logins-need-a-yes, decision: ask, tool: auth_state}\n'));
afterAll(() => folder.remove());

const CALL = ['call', 'auth_state', 'action=list'];
const REFUSED = /rule "logins-need-a-yes" wants a person to approve it, and this client cannot be asked/;

/** On a terminal of its own; the answer is typed when the question stands there. */
async function onTerminal(stateDir: string, args: string[], typed: string): Promise<{ code: number; text: string }> {
  const line = [process.execPath, BUNDLE, ...args].map(word => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: cleanEnv(stateDir) });
  let text = '';
  let isTyped = false;
  child.stdout.setEncoding('utf8').on('data', more => {
    text += more;
    if (isTyped || !text.includes('[y/N]')) return;
    isTyped = true;
    child.stdin.write(typed);
  });
  const [code] = await once(child, 'close');
  return { code, text };
}

const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

function cases(stateDir: string, flags: string[]): void {
  it('is refused without a terminal', async () => {
    const { code, stdout, stderr } = await runCommand(stateDir, [...CALL, ...flags]);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(REFUSED);
    const json = await runCommand(stateDir, [...CALL, '--json', ...flags]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      success: false,
      code: 'refused',
      error: expect.stringMatching(REFUSED),
    });
  });

  it.skipIf(!hasTerminals).each([
    ['y\n', 0, 'No login is saved.'],
    ['YES\n', 0, 'No login is saved.'],
    ['n\n', 1, 'auth_state was not run: a person did not agree'],
    ['\n', 1, 'auth_state was not run: a person did not agree'],
    ['\u0004', 1, 'auth_state was not run: nobody answered the question'],
  ])('is asked about on a terminal: %j', async (typed, expected, words) => {
    const { code, text } = await onTerminal(stateDir, [...CALL, ...flags], typed);
    expect(text).toContain('Allow auth_state?');
    expect(text).toContain('Rule: logins-need-a-yes');
    expect(text).toContain(words);
    expect(code).toBe(expected);
  });

  it.skipIf(!hasTerminals)('is cancelled by Ctrl+C', async () => {
    const { code, text } = await onTerminal(stateDir, [...CALL, ...flags], '\u0003');
    expect(code).toBe(130);
    expect(text).not.toContain('No login is saved.');
  });
}

describe('in a browser of its own', () => cases(join(folder.path, 'own'), ['--policy', policy]));

describe('on a running server', () => {
  const stateDir = join(folder.path, 'served');
  let serve: Serve;
  beforeAll(async () => {
    serve = await startServe(stateDir, '--policy', policy);
  });
  afterAll(() => serve.stop());
  cases(stateDir, []);
});
