// `tabwright status`: what the server has open, for how long it has run, and what it takes.
import { toJson } from '../cli/output/terminal.ts';
import type { Busy } from './door.ts';
import type { CommandHost } from './run-words.ts';
import type { CommandReply, CommandRequest } from './wire.ts';

export async function statusOf(
  { options, caller, run }: CommandHost,
  version: string,
  { running }: Busy,
  { json = false }: CommandRequest,
): Promise<CommandReply> {
  const seconds = Math.round(process.uptime());
  const megabytes = Math.round(process.memoryUsage.rss() / 1_048_576);
  const { data, text } = await run({ name: 'session_list', args: {}, caller });
  const facts = { pid: process.pid, version, seconds, megabytes, running, stateDir: options.stateDir };
  if (json) return { out: toJson({ success: true, data: { ...facts, ...Object(data) } }), code: 0 };
  const line = `Tabwright ${version} is process ${process.pid}, for ${age(seconds)}, ${megabytes} MB without the browser.`;
  return { out: `${line}\n${text}`, code: 0 };
}

function age(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const;
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
