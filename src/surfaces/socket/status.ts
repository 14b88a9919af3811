// `tabwright status`: what the server has open, for how long it has run, and what it takes.
import type { Start } from '../cli/command.ts';
import { toJson } from '../cli/output/terminal.ts';
import { LOCAL } from '../mcp/server-config.ts';
import type { Runtime } from '../runtime.ts';
import type { CommandReply, CommandRequest } from './wire.ts';

export async function statusOf(
  { version, options }: Pick<Start, 'version' | 'options'>,
  calls: Runtime,
  { json = false }: CommandRequest,
): Promise<CommandReply> {
  const seconds = Math.round(process.uptime());
  const megabytes = Math.round(process.memoryUsage.rss() / 1_048_576);
  const { data, text } = await calls.run({ name: 'session_list', args: {}, caller: LOCAL });
  const facts = { pid: process.pid, version, seconds, megabytes, stateDir: options.stateDir };
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
