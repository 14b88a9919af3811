// Commands in a browser that stays: what they do, what they print where, and what is left when they have ended.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { descendantsOf, isAlive } from '../process.ts';
import { page, Shell } from './shell.ts';

const FORM = page(
  '<title>Form</title><label>Name <input></label><button onclick="document.title=\'sent\'">Send</button>',
);

const shell = new Shell();
const { stateDir } = shell;
afterAll(() => shell.end());

describe('five commands', () => {
  it('drive one page, each from a process of its own', async () => {
    expect(await shell.out('open', FORM)).toMatch(/^Opened data:.* "Form"\.\n$/);
    const snapshot = await shell.out('snapshot');
    const [, field = '', button = ''] =
      /textbox "Name" \[ref=(@e\d+)\][\s\S]*button "Send" \[ref=(@e\d+)\]/.exec(snapshot) ?? [];
    expect(await shell.out('fill', field, 'Änn =1')).toContain('Filled');
    expect(await shell.out('click', button)).toContain('Clicked');
    expect(await shell.out('screenshot', 'page.png')).toContain(join(shell.folder.path, 'page.png'));
    expect(await shell.out('title')).toBe('sent\n');
    expect(readFileSync(join(shell.folder.path, 'page.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  it('leave a socket that only the user may open', () => {
    const mode = (path: string) => statSync(join(stateDir, path)).mode & 0o777;
    expect([mode('run'), mode('run/background.sock'), mode('run/background.json')]).toEqual([0o700, 0o600, 0o600]);
    expect(readdirSync(join(stateDir, 'run')).sort()).toEqual(['background.json', 'background.sock']);
  });

  it.skipIf(process.platform !== 'linux')('open no port', () => {
    const sockets = execFileSync('ss', ['-ltnp'], { encoding: 'utf8' });
    expect(sockets).not.toContain(`pid=${shell.pid()},`);
  });
});

describe('words', () => {
  it('of a tool that is not there suggest the nearest one, and start nothing', async () => {
    const other = new Shell();
    expect(await other.run(['clik', '@e1'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tabwright: Unknown command clik. Did you mean click? See tabwright --help\n',
    });
    expect(await other.run(['status'])).toMatchObject({
      code: 0,
      stdout: 'No server runs. The next command starts one.\n',
    });
    expect(await other.run(['stop'])).toMatchObject({ code: 0, stdout: 'No server runs.\n' });
    await other.end();
  });

  it('that are wrong are exit code 2, a tool that fails is exit code 1', async () => {
    expect(await shell.run(['click', '@e1', '@e2'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'tabwright: click: "@e2" is one too many. Usage: tabwright click <selector> [name=value…]\n',
    });
    expect(await shell.run(['click', '@e999'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^@e999 was never given out/),
    });
    const { code, stdout, stderr } = await shell.run(['click', '@e999', '--json']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ success: false, code: 'stale_ref' });
  });

  it('explain themselves', async () => {
    expect(await shell.out('fill', '--help')).toContain('Usage: tabwright fill <selector> <value>');
    expect(await shell.out('open', '--help')).toContain('Usage: tabwright navigate');
  });

  it('take a script from stdin', async () => {
    expect(await shell.run(['eval', '-'], { input: '1 +\n 41' })).toMatchObject({ code: 0, stdout: '42\n' });
    expect(await shell.run(['eval', '-'], { input: '{"expression": "2 + 2"}' })).toMatchObject({ stdout: '4\n' });
  });

  it('call uses the server that commands have started', async () => {
    expect(await shell.out('call', 'title')).toBe('sent\n');
  });
});

describe('files', () => {
  it('count from the folder where the command runs', async () => {
    const cwd = join(shell.folder.path);
    writeFileSync(join(cwd, 'note.txt'), 'hello');
    await shell.out('-s', 'files', 'open', page('<input type=file aria-label=File>'));
    const { code, stderr } = await shell.run(['-s', 'files', 'upload', 'input', 'note.txt'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await shell.out('-s', 'files', 'eval', 'document.querySelector("input").files[0].text()')).toBe('hello\n');
  });

  it('are refused outside of it, and in the state folder', async () => {
    const outside = await shell.run(['screenshot', '../x.png']);
    expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('write only below the allowed folders') });
    expect(existsSync(join(shell.folder.path, '..', 'x.png'))).toBe(false);
    const secret = await shell.run(['-s', 'files', 'upload', 'input', 'state/run/background.json']);
    expect(secret).toMatchObject({ code: 1, stderr: expect.stringContaining('read only below the allowed folders') });
  });
});

describe('sessions', () => {
  it('are picked by a flag or a variable, and do not disturb each other', async () => {
    await shell.out('-s', 'one', 'open', page('<title>One</title>'));
    await shell.run(['open', page('<title>Two</title>')], { env: { TABWRIGHT_SESSION: 'two' } });
    expect(await shell.out('--session=one', 'title')).toBe('One\n');
    expect(await shell.run(['title'], { env: { TABWRIGHT_SESSION: 'two' } })).toMatchObject({ stdout: 'Two\n' });
    expect(await shell.out('title')).toBe('sent\n');
    expect(await shell.out('status')).toMatch(
      /^Tabwright \S+ is process \d+, for \d+ (?:s|min), \d+ MB without the browser\.\n[\s\S]*\bone\b[\s\S]*\btwo\b/,
    );
    const { data } = JSON.parse(await shell.out('status', '--json'));
    expect(data).toMatchObject({ pid: shell.pid(), seconds: expect.any(Number), sessions: expect.any(Array) });
  });
});

describe('options', () => {
  it('belong to the server: what it was not started with is refused', async () => {
    const refused = await shell.run(['title', '--headed']);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^tabwright: The server that runs was started with another --headed\. .*tabwright stop\n$/,
      ),
    });
    expect(await shell.run(['title', '--no-headed'])).toMatchObject({ code: 0, stdout: 'sent\n' });
  });

  it('of the first command are those of the server, which ends when it is idle', async () => {
    const other = new Shell();
    await other.out('open', page('<title>Small</title>'), '--viewport', '640x480', '--server-idle', '1500');
    const pid = other.pid() ?? 0;
    const browser = descendantsOf(pid);
    expect(await other.out('eval', 'innerWidth + " " + innerHeight')).toBe('640 480\n');
    expect(browser.length).toBeGreaterThan(2);
    await expect.poll(() => [pid, ...browser].filter(isAlive), { timeout: 15_000 }).toEqual([]);
    expect(readdirSync(join(other.stateDir, 'run'))).toEqual([]);
    await other.end();
  });
});

describe('stop', () => {
  it('ends the server and its browser, and leaves no file', async () => {
    const pid = shell.pid() ?? 0;
    const all = [pid, ...descendantsOf(pid)];
    expect(await shell.out('stop')).toBe('The background server has ended.\n');
    await expect.poll(() => all.filter(isAlive), { timeout: 5_000 }).toEqual([]);
    expect(readdirSync(join(stateDir, 'run'))).toEqual([]);
  });
});
