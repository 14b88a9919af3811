// Times: how long a call may take that says nothing about it. Those of its dialect, longer where the page is slowed down.
import type { Options } from '../config/options.ts';
import type { Dialect, Times } from '../dialects/dialect.ts';
import { SLOWNESS } from '../engine/emulation/settings.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Input } from './validate.ts';

export function timesOf(dialect: Dialect | undefined, options: Options, tab: Tab | undefined): Times {
  const own = dialect?.times(options);
  const { cpu, network } = tab?.emulation.settings ?? { cpu: 1, network: 'none' as const };
  return {
    action: (own?.action ?? options.timeoutAction) * cpu,
    navigation: (own?.navigation ?? options.timeoutNavigation) * SLOWNESS[network],
  };
}

/** How long run() may take: what the caller asks for, else what the tool is given, or `usual` instead. */
export function timeFor(
  tool: AnyTool,
  input: Input,
  options: Options,
  times: Times,
  usual: AnyTool['time'] = tool.time,
): number {
  const own = typeof usual === 'function' ? usual(input) : typeof usual === 'number' ? usual : times[usual];
  const asked = typeof input.timeout === 'number' ? input.timeout : own;
  return tool.patient?.(input) ? asked : Math.min(asked, options.timeoutCall);
}
