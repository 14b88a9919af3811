// Twenty clients at once in four sessions, from no server on: one server, no failure, and nobody sees another's page.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { page, Shell } from './shell.ts';

const CLIENTS = 20;
const SESSIONS = ['north', 'east', 'south', 'west'];
const COMMANDS = 500;

const shell = new Shell();
afterAll(() => shell.end());

/** The processes that serve this state folder. */
function servers(): number[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // it has ended meanwhile
    }
  };
  return pids
    .filter(pid => read(pid, 'cmdline').includes('\0serve\0--background\0'))
    .filter(pid => read(pid, 'environ').includes(`TABWRIGHT_STATE_DIR=${shell.stateDir}\0`))
    .map(Number);
}

it.skipIf(process.platform !== 'linux')(
  '500 commands',
  async () => {
    const failures: string[] = [];
    const check = async (args: string[], expected: RegExp) => {
      const { code, stdout, stderr } = await shell.run(args);
      if (code !== 0 || !expected.test(stdout) || stderr !== '')
        failures.push(`${args.join(' ')}: ${code} ${stdout}${stderr}`);
    };
    const one = async (client: number): Promise<void> => {
      const session = SESSIONS[client % SESSIONS.length] ?? '';
      const mine = (...args: string[]) => ['-s', session, ...args];
      for (let step = 0; step < COMMANDS / CLIENTS; step++) {
        const key = `${client}-${step}`;
        if (step === 0) await check(mine('open', page(`<title>${session}</title><p>${session}</p>`)), /^Opened data:/);
        else if (step % 3 === 0)
          await check(
            mine('snapshot'),
            new RegExp(
              `^(?=[\\s\\S]*${session})(?!.*\\b(?:${SESSIONS.filter(name => name !== session).join('|')})\\b)`,
              's',
            ),
          );
        else if (step % 3 === 1)
          await check(mine('eval', `'${key} ' + document.title`), new RegExp(`^${key} ${session}\n$`));
        else await check(mine('title'), new RegExp(`^${session}\n$`));
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)));
    console.log(`${COMMANDS} commands of ${CLIENTS} clients: ${Math.round(performance.now() - began)} ms`);
    expect(failures).toEqual([]);
    expect(servers()).toEqual([shell.pid()]);
  },
  240_000,
);
