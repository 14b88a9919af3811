// Times: how long a call may take that says nothing about it. Those of its dialect, longer where the page is slowed down.
import { OPTIONS, type Options } from '../config/options.ts';
import type { Row } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { SLOWNESS } from '../engine/emulation/settings.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Call } from './message.ts';
import type { Input } from './validate.ts';

export interface Times {
  action: number;
  navigation: number;
}

export function timesOf(call: Call, options: Options, tab: Tab | undefined): Times {
  const own = ownTimes(call, options);
  const { cpu, network } = tab?.emulation.settings ?? { cpu: 1, network: 'none' as const };
  return {
    action: (own?.action ?? options.timeoutAction) * cpu,
    navigation: (own?.navigation ?? options.timeoutNavigation) * SLOWNESS[network],
  };
}

/** On a server that was started for the dialect they are options; and who names others for the whole server gets those. */
function ownTimes({ dialect = 'native' }: Call, options: Options): Partial<Times> | undefined {
  const { times } = DIALECTS[dialect] ?? {};
  if (!times || dialect === options.dialect) return undefined;
  const isUsual = (key: 'timeoutAction' | 'timeoutNavigation') => options[key] === OPTIONS[key].default;
  return {
    ...(isUsual('timeoutAction') && { action: times.action }),
    ...(isUsual('timeoutNavigation') && { navigation: times.navigation }),
  };
}

/** For starting a browser, or opening lost pages again. */
export const startTime = ({ dialect = 'native' }: Call, options: Options): number =>
  Math.max(options.timeoutNavigation, DIALECTS[dialect]?.times?.start ?? 0);

/** How long run() may take: what the caller asks for, else what the tool is given. */
export function timeFor(tool: AnyTool, input: Input, options: Options, times: Times, row?: Row): number {
  const asked = typeof input.timeout === 'number' ? input.timeout : ownTime(tool, input, times, row);
  return tool.patient?.(input) ? asked : Math.min(asked, options.timeoutCall);
}

function ownTime(tool: AnyTool, input: Input, times: Times, row: Row | undefined): number {
  const time = row?.time ?? tool.time;
  if (typeof time === 'function') return time(input);
  return typeof time === 'number' ? time : times[time];
}
