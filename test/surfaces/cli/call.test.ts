// `tabwright call` as a person runs it: what it prints where, its exit codes, and its end when something breaks.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../../src/config/load.ts';
import { makeLog } from '../../../src/config/log.ts';
import { Failure, WRONG_USAGE } from '../../../src/errors.ts';
import * as callCommand from '../../../src/surfaces/cli/call/call.ts';
import { savePictures } from '../../../src/surfaces/cli/output/show-result.ts';
import { statusLine } from '../../../src/surfaces/cli/output/status-line.ts';
import { write } from '../../../src/surfaces/cli/output/write-text.ts';
import * as tools from '../../../src/surfaces/cli/tools.ts';
import { announce } from '../../../src/surfaces/client/running-servers.ts';
import { BUNDLE, besideDriver, cleanEnv, isAlive, Process, temporaryFolder } from '../process.ts';
import { type More, type Printed, runCommand, type Serve, startCommand, startServe } from './command.ts';
import { standIn } from './stand-in.ts';

const folder = temporaryFolder();
const alone = join(folder.path, 'alone');
const page = (html: string): string => `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
/** A script that sets the title and never ends; it holds the queue of its session, so that the next call could not run. */
const hold = (title: string): string => `(async () => { document.title = '${title}'; await new Promise(() => {}); })()`;
const call = (stateDir: string, ...words: string[]) => runCommand(stateDir, ['call', ...words]);

/** A call to a server that never answers; it takes 5 s, beside the other tests. */
let hung: Promise<Printed>;
beforeAll(async () => {
  const stateDir = join(folder.path, 'hung');
  const server = await standIn(stateDir, () => undefined);
  hung = call(stateDir, 'title', '--timeout-call', '100').finally(() => server.close());
});
afterAll(() => folder.remove());

describe('wrong usage', () => {
  /** Runs the command in this process up to the mistake; gives what the command says of it. */
  async function mistakeIn(args: string[]): Promise<string> {
    const log = makeLog('error', () => undefined);
    try {
      const loaded = await load([...args, '--state-dir', alone]);
      const { run } = args[0] === 'tools' ? tools : callCommand;
      return `no mistake: ${await run({ ...loaded, version: '1', log })}`;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect(WRONG_USAGE).toContain(error.code);
      return [error.message, error.hint].filter(Boolean).join(' ');
    }
  }

  it.each<[string[], RegExp]>([
    [['call'], /^call needs TOOL\. Usage: tabwright call TOOL/],
    [['call', 'upload', '--tools', 'core'], /^--tools leaves upload out\. It is in the group interaction\./],
    [['call', 'click', 'selctor=@e3'], /^click has no argument selctor\. Did you mean selector\?/],
    [['call', 'click', '@e3', '@e4'], /^click: "@e4" is one too many\. Usage: tabwright click <selector>/],
    [['call', 'navigate', '{"url":}'], /^The JSON is broken: unexpected "}" at column 8/],
    [['call', 'click', '--jsn'], /^Unknown option --jsn\. Did you mean --json\?/],
    [['call', 'title', '--json=1'], /^--json takes no value/],
    [['tools', 'clik'], /^There is no tool "clik"/],
    [['tools', 'click', 'fill'], /^Unexpected word fill/],
    [['tools', '--tools', 'cor'], /^--tools: there is no group "cor"\. Did you mean core\?/],
    [['cal', 'title'], /^Unknown command cal\. Did you mean call\?/],
  ])('is told on one line: %j', async (args, line) => {
    const said = await mistakeIn(args);
    expect(said).toMatch(line);
    expect(said).not.toContain('\n');
  });

  it.each<[string[], RegExp, More?]>([
    [['call', 'clik'], /^tabwright: There is no tool "clik"\. Did you mean click/],
    [['call', 'navigate', '-'], /^tabwright: The JSON is broken: it ends too early/],
    [['call', 'navigate', '-'], /^tabwright: The arguments must be a JSON object\./, { input: '["https://h"]' }],
  ])('is exit code 2, on one line of stderr: %j', async (args, line, more) => {
    const { code, stdout, stderr } = await runCommand(alone, args, more);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  // What else a call finds in its arguments: test/call/validate.test.ts.
  it.each([
    [['click'], /^click: give either selector or coordinates, got none\.\nclick takes: /],
    [['click', '@e3', 'timeout=soon'], /^click: timeout must be a number, got the text "soon"/],
    [['click', '{"selector":"@e3","tmeout":1}'], /^click: unknown argument "tmeout" \(did you mean timeout\?\)/],
  ])('also when only the call finds it: %j', async (words, line) => {
    const { code, stdout, stderr } = await call(alone, ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
  });

  it.each([
    [['clik'], 'unknown_tool', /Did you mean click/],
    [['click', '{"selector"'], 'bad_input', /./],
    [['click'], 'bad_input', /click takes: selector/],
  ])('as JSON: %j', async (words, failure, hint) => {
    const { code, stdout, stderr } = await call(alone, '--json', ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ success: false, code: failure, hint: expect.stringMatching(hint) });
  });

  it('starts no browser and writes no file but the journal', () => {
    expect(readdirSync(alone)).toEqual(['journal']);
  });
});

describe('without a server', () => {
  it('runs in a browser of its own, and takes JSON from stdin', async () => {
    const input = JSON.stringify({ url: page('<title>漢字</title>') });
    const { code, stdout } = await runCommand(alone, ['call', 'navigate', '-'], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Opened data:.* "漢字"\.\n$/) });
  });

  it('says a failure on stderr, with exit code 1', async () => {
    const { code, stdout, stderr } = await call(alone, 'evaluate', 'throw new Error("oh")');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The script threw: Error: oh');
  });

  it('bears a reader that leaves', async () => {
    const { child, printed } = startCommand(alone, ['call', 'title']);
    child.stdout?.destroy();
    expect(await printed).toMatchObject({ code: 0, stderr: expect.not.stringContaining('EPIPE') });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s cancels the call and leaves no browser', async (signal, code) => {
    const running = new Process(['call', 'wait', 'timeout', 'duration=60000'], alone);
    await expect.poll(() => running.descendants().length, { timeout: 15_000 }).toBeGreaterThan(3);
    const browser = running.descendants();
    expect(await running.kill(signal)).toEqual({ code, signal: null });
    expect(running.lines).toEqual([]);
    await expect.poll(() => browser.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  });

  it('SIGINT while the browser starts leaves none either', async () => {
    const running = new Process(['call', 'title'], alone);
    await expect.poll(() => running.descendants().length, { timeout: 15_000, interval: 5 }).toBeGreaterThan(0);
    const browser = running.descendants();
    expect(await running.kill('SIGINT')).toEqual({ code: 130, signal: null });
    await expect.poll(() => browser.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  });
});

describe('with a server', () => {
  const stateDir = join(folder.path, 'served');
  let serve: Serve;
  beforeAll(async () => {
    serve = await startServe(stateDir);
  });
  afterAll(() => serve?.stop());

  it('one call goes on where another ended', async () => {
    const { stdout } = await call(stateDir, '--json', 'navigate', page('<title>Served</title><input aria-label=Name>'));
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { title: 'Served' }, text: expect.any(String) });
    expect(await call(stateDir, 'snapshot')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('textbox "Name" [ref=@e1]'),
    });
    expect(await call(stateDir, 'fill', '@e1', 'Änn =1')).toMatchObject({
      code: 0,
      stdout: 'Filled @e1 textbox "Name".\n',
    });
    expect(await call(stateDir, 'evaluate', 'document.querySelector("input").value')).toMatchObject({
      stdout: 'Änn =1\n',
    });
  });

  it('the failure of a tool is exit code 1', async () => {
    const { code, stdout, stderr } = await call(stateDir, 'click', '@e99');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^@e99 was never given out.*\nTake a snapshot/);
    const told = await call(stateDir, 'click', '@e99', '--json');
    expect(told).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(told.stdout)).toMatchObject({ success: false, code: 'stale_ref', error: expect.any(String) });
  });

  it('pictures are files that only their owner may read', async () => {
    const { code, stdout } = await call(stateDir, 'screenshot');
    const [, path = ''] = /^1280x720\nSaved (.*)\n$/.exec(stdout) ?? [];
    expect(code).toBe(0);
    expect(path.startsWith(join(stateDir, 'output'))).toBe(true);
    expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(stateDir, 'output')).mode & 0o777).toBe(0o700);
    const { files } = JSON.parse((await call(stateDir, 'screenshot', 'format=jpeg', '--json')).stdout);
    expect(files).toEqual([
      { path: expect.stringMatching(/\.jpeg$/), mimeType: 'image/jpeg', bytes: expect.any(Number) },
    ]);
    expect(statSync(files[0].path).size).toBe(files[0].bytes);
  });

  it('a picture that cannot be saved is a failure', async () => {
    const { code, stderr } = await call(
      stateDir,
      'screenshot',
      '--output-dir',
      join(serve.running.tokenFile ?? '', 'x'),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^tabwright: The picture could not be saved as .*: ENOTDIR\. Choose another folder with --output-dir\.\n$/,
    );
  });

  it('SIGINT cancels the call on the server too', async () => {
    const { child, printed } = startCommand(stateDir, ['call', 'evaluate', hold('held')]);
    const title = () => call(stateDir, 'tab_list').then(({ stdout }) => stdout);
    await expect.poll(title, { timeout: 10_000 }).toContain('held');
    child.kill('SIGINT');
    expect(await printed).toMatchObject({ code: 130, stdout: '' });
    expect(await call(stateDir, 'evaluate', '1 + 1', 'timeout=3000')).toMatchObject({ code: 0, stdout: '2\n' });
  });

  it('a call may have the longest time there is', async () => {
    expect(await call(stateDir, 'title', '--timeout-call', '2147483647')).toMatchObject({ code: 0, stderr: '' });
  });

  it('a call is quick', async () => {
    const { best, driver } = await besideDriver(() => call(stateDir, 'title'));
    console.log(`tabwright call title: ${Math.round(best)} ms; to load a browser driver: ${Math.round(driver)} ms`);
    expect(best).toBeLessThan(driver);
  });

  it('a refused token is exit code 1', async () => {
    // The server follows its own file: the token must come from another one.
    const tokenFile = join(stateDir, 'wrong-token');
    writeFileSync(tokenFile, 'x'.repeat(64), { mode: 0o600 });
    announce(stateDir, { ...serve.running, tokenFile });
    const { code, stderr } = await call(stateDir, 'title');
    announce(stateDir, serve.running);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tabwright: The server at http:.* refuses the token in .*token\. .*\n$/);
  });

  it('a server that dies in the middle is exit code 1', async () => {
    const { printed } = startCommand(stateDir, ['call', 'evaluate', hold('dying')]);
    await expect
      .poll(() => call(stateDir, 'tab_list').then(({ stdout }) => stdout), { timeout: 10_000 })
      .toContain('dying');
    serve.child.kill('SIGKILL');
    const { code, stdout, stderr } = await printed;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^tabwright: The server at http:.* went away: ECONNRESET\. Start it again: tabwright serve\n$/,
    );
  });
});

describe('a server that hangs', () => {
  it('is left a little after the longest call', async () => {
    const { code, stderr } = await hung;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tabwright: The server at http:.* did not answer within 5\.1 s\. Its process is \d+\.\n$/);
  });
});

describe('pictures', () => {
  it('never take the place of others', async () => {
    const pictures = ['a', 'b', 'c'].map(text => ({ mimeType: 'image/png', bytes: Buffer.from(text) }));
    const files = await savePictures(pictures, join(folder.path, 'pictures'), 'screenshot');
    expect(files.map(({ path }) => readFileSync(path, 'utf8'))).toEqual(['a', 'b', 'c']);
  });
});

describe('on a terminal', () => {
  const terminal = (columns: number) => {
    const written: string[] = [];
    const stream = { isTTY: true, columns, write: (text: string) => written.push(text) > 0 };
    return { written, stream: stream as unknown as NodeJS.WriteStream };
  };

  it('progress is one line that fits, and is wiped', () => {
    const { written, stream } = terminal(20);
    const { progress, wipe } = statusLine(stream);
    progress?.({ done: 1, message: 'wait:\n1 s' });
    progress?.({ done: 2, total: 3 });
    progress?.({ done: 3, message: 'x'.repeat(40) });
    wipe();
    wipe();
    const start = '\r\u001b[K';
    expect(written).toEqual([`${start}wait: 1 s`, `${start}2 of 3`, `${start}${'x'.repeat(19)}`, start]);
  });

  it('text of a page does not steer it', () => {
    const { written, stream } = terminal(80);
    write(stream, 'a\u001b[2Jb\tc\nd\u009be');
    expect(written).toEqual(['a\ufffd[2Jb\tc\nd\ufffde\n']);
  });

  it.skipIf(process.platform !== 'linux')('a call without a server says that the page is gone after it', () => {
    const command = `'${process.execPath}' '${BUNDLE}' call wait timeout duration=1500`;
    const out = execFileSync('script', ['-qec', command, '/dev/null'], { env: cleanEnv(alone), encoding: 'utf8' });
    expect(out).toMatch(
      /^No server is running, so the page is gone after this call\. Start one with: tabwright serve\r\n/,
    );
    expect(out).toContain('\r\u001b[Kwait: 1 s');
    expect(out).toContain('\r\u001b[K1500 ms are over');
  });
});
