// `tabwright config`: settings for MCP clients, printed or put into the client's own file; and the options with their origins.

import { currentEnvironment } from '../../../config/environment.ts';
import { textOf } from '../../../config/kinds.ts';
import type { Loaded } from '../../../config/load.ts';
import { type OptionKey, optionKeys, optionOf } from '../../../config/options.ts';
import { Failure } from '../../../errors.ts';
import { REDACTED, redact } from '../../../policy/mask.ts';
import type { Run } from '../command.ts';
import { columns, paint, print, toJson } from '../output/terminal.ts';
import { mergeInto } from './client-file.ts';
import { CLIENTS, type Client, clientNames, ENTRY, HTTP, httpEntry, readClient, stdioEntry } from './clients.ts';

const { bold, dim } = paint(process.stdout);

export const run: Run = async start => {
  print(await answer(start));
  return 0;
};

async function answer(start: Loaded): Promise<string> {
  const [word] = start.words;
  const { '--write': client, '--show': show } = start.flags;
  const json = start.flags['--json'] === true;
  if ([word, client, show].filter(Boolean).length > 1)
    throw new Failure('bad_input', 'CLIENT, --write and --show exclude each other: give one of them.');
  if (show) return json ? toJson(shownOptions(start)) : optionTable(start);
  if (typeof client === 'string') return write(start, client, json);
  return word === undefined ? allSettings(start, json) : oneSettings(start, word, json);
}

/** Ready settings for one client. */
interface Settings {
  name: string;
  file?: string;
  settings: object;
  tokenFile?: string;
}

const clientOf = (key: string): Client => CLIENTS[key]!;

const entryFor = (client: Client, loaded: Loaded) =>
  stdioEntry(client, loaded, currentEnvironment(), process.argv[1] ?? '');

function settingsFor(key: string, loaded: Loaded): Settings {
  if (key === HTTP) {
    const { tokenFile, auth, token } = loaded.options;
    const settings = { mcpServers: { [ENTRY]: httpEntry(loaded.options) } };
    return { name: 'Any other client, over HTTP', settings, ...(auth && token === undefined && { tokenFile }) };
  }
  const client = clientOf(key);
  const settings = { [client.servers]: { [ENTRY]: entryFor(client, loaded) } };
  return { name: client.name, file: client.file(currentEnvironment()), settings };
}

const ALL = [...clientNames, HTTP];

function oneSettings(loaded: Loaded, word: string, json: boolean): string {
  const settings = settingsFor(readClient(word, ALL), loaded);
  return json ? toJson(settings) : inText(settings);
}

function allSettings(loaded: Loaded, json: boolean): string {
  const all = ALL.map(key => [key, settingsFor(key, loaded)] as const);
  if (json) return toJson(Object.fromEntries(all));
  const write = dim(`Put them into the client's own file: tabwright config --write ${clientNames.join('|')}`);
  return [...all.map(([, settings]) => inText(settings)), write].join('\n\n');
}

function inText({ name, file, settings, tokenFile }: Settings): string {
  const head = file ? `${bold(name)} ${dim(file)}` : `${bold(name)} ${dim('while tabwright serve runs')}`;
  const token = tokenFile ? [`The token stands in a file: Authorization: Bearer $(cat ${quoted(tokenFile)})`] : [];
  return [head, toJson(settings), ...token].join('\n');
}

const quoted = (path: string): string => (/^[\w./:\\-]+$/.test(path) ? path : `'${path}'`);

async function write(loaded: Loaded, word: string, json: boolean): Promise<string> {
  if (word === HTTP)
    throw new Failure('bad_input', `${HTTP} has no file of its own.`, `See the settings: tabwright config ${HTTP}`);
  const key = readClient(word, clientNames);
  const client = clientOf(key);
  const done = await mergeInto(client.file(currentEnvironment()), [client.servers, ENTRY], entryFor(client, loaded));
  if (json) return toJson({ client: key, ...done });
  if (!done.changed) return `${client.name} has Tabwright already: nothing to change in ${done.file}`;
  const backup = done.backup ? [`The file as it was: ${done.backup}`] : [];
  return [
    `${client.name} now has Tabwright: wrote ${done.file}`,
    ...backup,
    dim(`Restart ${client.name} to use it.`),
  ].join('\n');
}

const shownOptions = ({ options, origins, files }: Loaded) => ({
  files,
  options: Object.fromEntries(
    optionKeys.map(key => [key, { value: shownValue(key, options[key]) ?? null, origin: origins[key] }]),
  ),
});

function optionTable({ options, origins, files }: Loaded): string {
  const rows = optionKeys.map(key => [key, textOf(shownValue(key, options[key])) || '-', origins[key]]);
  const table = columns(rows, origin => (origin === 'default' ? dim(origin) : bold(origin)));
  return `${table}\n\nConfig files: ${files.join(', ') || 'none'}`;
}

const shownValue = (key: OptionKey, value: unknown): unknown =>
  optionOf(key).kind.secret && value !== undefined ? REDACTED : masked(value);

/** Without the credentials that urls carry. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  return typeof value === 'string' ? redact(value.replace(/(:\/\/)[^\s/?#]+@/g, `$1${REDACTED}@`)) : value;
}
