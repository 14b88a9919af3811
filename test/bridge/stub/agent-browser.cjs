#!/usr/bin/env node
// A stand-in for agent-browser: does what STUB says, so that a test can see what the bridge makes of it.
const { spawn } = require('node:child_process');
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs');

const argv = process.argv.slice(2);
const { STUB = 'record', STUB_FILE, STUB_TEXT = '', STUB_BYTES = '0' } = process.env;
/** Longer than any test, but not for ever. */
const SLEEP_MS = 120_000;
const sleeper = ['-e', `setTimeout(() => {}, ${SLEEP_MS})`];

/** Writes as much as is asked for, at the speed of the reader. */
function pour(stream, bytes, done) {
  const chunk = Buffer.alloc(65536, STUB_TEXT || 'x');
  let left = bytes;
  const more = () => {
    while (left > 0) {
      const part = chunk.subarray(0, Math.min(left, chunk.length));
      left -= part.length;
      if (!stream.write(part)) return void stream.once('drain', more);
    }
    done();
  };
  more();
}

const MODES = {
  /** Tells what it was given. */
  record() {
    const stdin = readFileSync(0, 'utf8');
    console.log(JSON.stringify({ success: true, data: { argv, stdin, cwd: process.cwd() }, error: null }));
  },
  /** Tells which variables of agent-browser it has. */
  variables() {
    const own = Object.entries(process.env).filter(([name]) => /^AGENT_BROWSER_(?!BIN)/.test(name));
    console.log(JSON.stringify({ success: true, data: Object.fromEntries(own) }));
  },
  /** Says the text, on stdout or stderr. */
  say: () => process.stdout.write(STUB_TEXT),
  complain: () => process.stderr.write(STUB_TEXT),
  /** The same in pieces that split characters. */
  stutter() {
    for (const byte of Buffer.from(STUB_TEXT)) process.stdout.write(Buffer.from([byte]));
  },
  /** Takes away the folder that its output should go to. */
  spoil() {
    rmSync(STUB_FILE, { recursive: true });
    process.stdout.write(STUB_TEXT);
  },
  fail() {
    process.stdout.write(STUB_TEXT);
    process.exitCode = 3;
  },
  /** Never ends, nor does the process that it started; the file gets both ids, when as much as is asked for was complained. */
  sleep() {
    const child = spawn(process.execPath, sleeper, { stdio: 'inherit' });
    pour(process.stderr, Number(STUB_BYTES), () => writeFileSync(STUB_FILE, `${process.pid} ${child.pid}`));
    process.on('SIGTERM', () => {});
    setTimeout(() => process.exit(), SLEEP_MS);
  },
  /** Ends, and leaves behind a daemon that holds its pipes. */
  daemon() {
    const child = spawn(process.execPath, sleeper, { stdio: 'inherit', detached: true });
    writeFileSync(STUB_FILE, String(child.pid));
    child.unref();
    console.log(JSON.stringify({ success: true, data: null }));
    process.exit(0);
  },
  flood: () => pour(process.stdout, Number(STUB_BYTES), () => {}),
  floodErrors: () => pour(process.stderr, Number(STUB_BYTES), () => {}),
  /** Many at once: the file gets a line at the start and at the end of each. */
  busy() {
    const name = argv[argv.indexOf('--session') + 1];
    appendFileSync(STUB_FILE, `begin ${name}\n`);
    setTimeout(() => {
      appendFileSync(STUB_FILE, `end ${name}\n`);
      console.log('{"success":true}');
    }, 150);
  },
  /** The first run does not wait for its daemon, and names its socket when there is a text; the file gets a line for each run. */
  hasty() {
    const again = existsSync(STUB_FILE);
    appendFileSync(STUB_FILE, `${argv.join(' ')}\n`);
    const error = `Daemon failed to start${STUB_TEXT && ` (socket: ${STUB_TEXT})`}`;
    console.log(JSON.stringify(again ? { success: true, data: null } : { success: false, error }));
    process.exitCode = again ? 0 : 1;
  },
  /** A version, a browser that starts or not. */
  version() {
    if (argv.includes('--version')) console.log(`agent-browser ${STUB_TEXT}`);
    else if (STUB_FILE && argv.includes('open')) {
      const error = `Chrome not found${'!'.repeat(Number(STUB_BYTES))}`;
      console.log(JSON.stringify({ success: false, error }));
      process.exitCode = 1;
    } else console.log('{"success":true,"data":null}');
  },
};

MODES[STUB]();
