// Checks of the machine: Node, display, fonts, proxy.
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { addCommand, systemOf } from '../../../engine/browser/systems.ts';
import { runProgram } from '../../../engine/run-program.ts';
import { isTabwright } from '../../client/running-servers.ts';
import { originOf } from '../../http/auth/host-origin.ts';
import { type Check, type DoctorInput, fine, problem, warning } from './check.ts';

const LEAST_NODE = packageJson.engines.node.replace(/^\D+/, '');

export const node: Check = ({ node: version }) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number);
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return isEnough ? fine(version) : problem(`${version} is too old`, `install Node ${LEAST_NODE} or newer`);
};

export const display: Check = ({ options, host: { platform, env } }) => {
  if (platform !== 'linux') return fine("the system's own");
  const found = ['DISPLAY', 'WAYLAND_DISPLAY'].filter(name => env[name]).map(name => `${name}=${env[name]}`);
  if (found.length > 0) return fine(found.join(', '));
  if (!options.headed) return fine('none, and none is needed without --headed');
  return problem('none, but --headed needs one', 'leave --headed out, or start with: xvfb-run -a npx tabwright');
};

const KINDS = [
  { name: 'emoji', lang: 'und-zsye', file: /emoji/i },
  {
    name: 'Chinese, Japanese and Korean',
    lang: 'zh-cn',
    file: /cjk|wqy|ipag|ipam|takao|sansfallback|unifont|uming|ukai|nanum|sourcehan/i,
  },
];

export const fonts: Check = async (machine, signal) => {
  if (machine.host.platform !== 'linux') return fine("the system's own");
  const all = await listFonts(machine, signal);
  const missing = KINDS.filter(
    ({ lang, file }) => !all.some(font => font.langs.includes(lang) || file.test(font.file)),
  );
  if (all.length === 0) return problem('none: pages show boxes instead of letters', addFonts(machine));
  if (missing.length > 0)
    return warning(
      `${all.length}, but none for ${missing.map(({ name }) => name).join(' and for ')}`,
      addFonts(machine),
    );
  return fine(`${all.length}, with emoji and Chinese, Japanese and Korean`);
};

interface Font {
  file: string;
  langs: string[];
}

/** Nobody has more. */
const MOST_FONTS = 20_000;

/** As fontconfig knows them; without its program, what lies in the usual folders. */
async function listFonts({ host, home }: DoctorInput, signal: AbortSignal): Promise<Font[]> {
  const fonts: Font[] = [];
  const line = (text: string) => {
    const [file = '', langs = ''] = text.split('\t');
    if (fonts.length < MOST_FONTS) fonts.push({ file, langs: langs.split('|') });
  };
  const format = ['--format', '%{file}\\t%{lang}\\n'];
  const ran = await runProgram('fc-list', format, { ms: 10_000, signal, env: host.env, line });
  if (ran.ok) return fonts;
  return ['/usr/share/fonts', join(home, '.fonts'), join(home, '.local/share/fonts')].flatMap(fontFiles);
}

const fontFiles = (folder: string): Font[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(name => /\.(ttf|otf|ttc|pcf(\.gz)?)$/i.test(name))
        .map(file => ({ file, langs: [] }))
    : [];

function addFonts({ host }: DoctorInput): string {
  const system = systemOf(host.release);
  return system ? addCommand(system, system.fonts, host.isRoot) : 'install the Noto fonts';
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

export const proxy: Check = ({ options, host: { env } }) => {
  if (options.proxy !== undefined) return fine(`${withoutSecret(options.proxy)}, by --proxy`);
  const read = (name: string) => env[name.toLowerCase()] || env[name];
  const found = PROXIES.filter(read).map(name => `${name} is ${withoutSecret(read(name) ?? '')}`);
  if (found.length === 0) return fine('none');
  if (/(^|[,\s])(127\.0\.0\.1|\*)/.test(read('NO_PROXY') ?? '')) return fine(found.join(', '));
  return warning(`${found.join(', ')}; clients may ask it for 127.0.0.1 too`, 'export NO_PROXY=127.0.0.1,localhost');
};

const withoutSecret = (url: string): string => url.replace(/\/\/[^@/]*@/, '//…@');

/** How many of the next ports are tried to name a free one. */
const TRIES = 20;

/** Undefined when one can listen there, else the code of the error. */
async function refusal(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}

async function freePort(host: string, from: number): Promise<number> {
  for (let port = from; port < Math.min(from + TRIES, 65_536); port++) if (!(await refusal(host, port))) return port;
  return 0;
}

export const port: Check = async ({ options: { host, port } }) => {
  if (port === 0) return fine('any free one');
  const code = await refusal(host, port);
  if (code === undefined) return fine(`${port} of ${host} is free`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return problem(`this machine has no address ${host}`, 'give --host one of its own, such as 127.0.0.1');
  if (code === 'EADDRINUSE' && (await isTabwright(new URL('/health', originOf(host, port)))))
    return fine(`${port} of ${host}: a Tabwright serves there`);
  const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
  return problem(
    `${port} of ${host} ${why}`,
    `npx tabwright serve --port ${await freePort(host, Math.max(port + 1, 1_024))}`,
  );
};
