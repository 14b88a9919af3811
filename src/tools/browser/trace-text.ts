// The words of performance traces.
import { counted, seconds, size } from '../../engine/amounts.ts';
import type { Traced } from '../../engine/trace/record.ts';
import type { Insight, LongTask, ShiftCluster, TraceReport } from '../../engine/trace/report.ts';
import { joined, noun, type Part, type Phrase, phrase } from '../../text.ts';

export function tracedText({ reading, unread, file, ms, cut, ended, notOpened }: Traced): string | Phrase {
  const notes = [
    ...(notOpened === undefined ? [] : [notOpened]),
    ...(ended === undefined ? [] : [`It ended ${ended}.`]),
    ...(cut ? ['Its end is missing: it was too large.'] : []),
  ];
  const saved = file
    ? [`Saved to ${file.path} (${size(file.bytes)}); DevTools opens it in its Performance panel.`]
    : [];
  if (!reading)
    return [[`Trace of ${seconds(ms)}, which could not be read: ${unread}.`, ...notes].join(' '), ...saved].join('\n');
  const others = reading.others.length > 0 ? [`Shown before: ${reading.others.join(', ')}.`] : [];
  const load = reading.loaded ? '' : ' (no load of it in the trace: reload records one)';
  return joined(
    [
      [`Trace of ${seconds(ms)}: ${reading.url}${load}.`, ...others, ...notes].join(' '),
      ...metricLines(reading),
      ...insightLines(reading.insights),
      ...saved,
    ],
    '\n',
  );
}

function metricLines({ lcp, fcp, cls, inp, longTasks, busy }: TraceReport): string[] {
  const parts = (list: readonly { name: string; ms: number }[]) =>
    list.map(({ name, ms }) => `${name} ${ms} ms`).join(', ');
  const what = [lcp?.element, lcp?.resource].filter(name => name !== undefined).join(', ');
  return [
    ...(lcp ? [`LCP ${lcp.ms} ms${what && `: ${what}`}${lcp.parts.length > 0 ? ` (${parts(lcp.parts)})` : ''}`] : []),
    ...(fcp === undefined ? [] : [`FCP ${fcp} ms`]),
    `CLS ${cls.score}${cls.clusters.length > 0 ? `: ${cls.clusters.map(clusterText).join('; ')}` : ''}`,
    ...(inp ? [`INP ${inp.ms} ms: ${inp.type}${inp.element ? ` on ${inp.element}` : ''} (${parts(inp.parts)})`] : []),
    longTasks.count === 0
      ? 'No long tasks'
      : `${counted(longTasks.count, 'long task')}, blocking ${longTasks.blocking} ms in all: ${longTasks.worst.map(taskText).join('; ')}`,
    `Main thread: scripting ${busy.scripting} ms, layout ${busy.layout} ms, painting ${busy.painting} ms`,
  ];
}

/** The score of the worst is the page's own. */
function clusterText({ score, at, shifts, moved, causes }: ShiftCluster, index: number): string {
  const why = causes.length > 0 ? ` (${causes.join(', ')})` : '';
  const what = `${counted(shifts, 'shift')} at ${seconds(at)} of ${moved.join(', ') || 'elements without a name'}${why}`;
  return index === 0 ? what : `${score}: ${what}`;
}

const taskText = ({ ms, at, where }: LongTask): string => `${ms} ms at ${seconds(at)} in ${where}`;

/** What applies in a line each; of the rest the names. */
function insightLines(insights: readonly Insight[]): Part[] {
  const named = (state: Insight['state']) => insights.filter(insight => insight.state === state);
  const names = (list: readonly Insight[]) => list.map(({ name }) => name).join(', ');
  const [apply, fine, unknown] = [named('applies'), named('fine'), named('unknown')];
  return [
    apply.length > 0 ? phrase`Insights (${noun('action insight')} tells more about each):` : 'No insight applies.',
    ...apply.map(insight => `- ${insightLine(insight)}`),
    ...(fine.length > 0 ? [`Fine: ${names(fine)}`] : []),
    ...(unknown.length > 0 ? [`Not known from this trace: ${names(unknown)}`] : []),
  ];
}

const insightLine = ({ name, verdict, savings }: Insight): string =>
  `${name}: ${verdict}${savings.length > 0 ? `; could save ${savings.join(', ')}` : ''}`;

export function insightText(insight: Insight): string {
  const state = { applies: '', fine: ' Nothing to do.', unknown: ' Not known from this trace.' }[insight.state];
  return [
    `${insightLine(insight)}.${state}`,
    ...insight.details,
    ...(insight.docs === '' ? [] : [`More about it: ${insight.docs}`]),
  ].join('\n');
}
