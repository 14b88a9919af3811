// The tool that runs several calls in one.
import { z } from 'zod';
import { counted } from '../../engine/amounts.ts';
import { type Limits, under } from '../../engine/limits.ts';
import { Failure, WRONG_USAGE } from '../../errors.ts';
import { joined, type Part, type Phrase, phrase, toolName } from '../../text.ts';
import { about, on, rare, someText, text, typedData } from '../arguments.ts';
import { type Called, type InnerCalls, tool } from '../tool.ts';
import { withStandIns, withValues } from './batch-values.ts';

const MOST_CALLS = 50;
/** Of an answer that is not the last one. */
const LONGEST = 500;
/** Of all that was done before a call failed: a message is cut in the middle when it is longer. */
const LONGEST_BEFORE = 500;
/** How long what is expected may take. */
const EXPECT_MS = 5_000;
/** What the page shows where something else was expected. */
const LONGEST_INSTEAD = 450;

interface Step extends Called {
  tool: string;
}

const expectation = z.strictObject({
  text: someText(5_000).optional(),
  url: someText(5_000).optional(),
  gone: someText(5_000).optional(),
});

type Args = Readonly<Record<string, unknown>>;

const one = z.strictObject({
  tool: text(100).refine(name => name !== 'batch', 'a batch cannot hold a batch'),
  // Each call has a record of its own.
  args: typedData().optional(),
  expect: expectation.optional(),
});

interface Asked {
  calls: z.output<typeof one>[];
  stop_on_error: boolean;
}

export const batch = tool({
  core: true,
  summary:
    'Run tools in order in one call; $1.ref in args is what call 1 found, expect what must come of one. Long answers are cut, not the last.',
  example: ['[{"tool":"title"},{"tool":"snapshot"}]'],
  on: 'calls',
  effect: 'write',
  time: Number.POSITIVE_INFINITY,
  input: {
    calls: about(
      'The tools to run, each with its arguments. `"$1.ref"` as a value is the one element that call 1 found (find, query) or that is new in its receipt, `"$1.tabId"` the tab that it opened. expect: after the call the page must show a text (or match /regex/), have a url (with * and **), and have gone a text or ref; each within 5 s, or the batch stops and tells what is there instead',
      z.array(one).min(1).max(MOST_CALLS),
    ),
    stop_on_error: rare('Run none after one that fails', on),
  },
  run: (calls, input, limits) => runAll(calls, input, limits),
  text: ({ steps }) => joined(linesOf(steps), '\n'),
});

async function runAll(calls: InnerCalls, input: Asked, limits: Limits): Promise<{ steps: Step[] }> {
  const prepared = await prepareAll(calls, input);
  const steps: Step[] = [];
  for (const { name, send } of prepared) {
    const called = await under(limits.signal, send(steps)).catch(error => {
      throw endedIn(name, error, steps);
    });
    steps.push({ tool: name, ...called });
    if (!called.ok && input.stop_on_error) throw stopped(steps, prepared.length);
  }
  if (steps.some(({ ok }) => !ok)) throw someFailed(steps);
  return { steps };
}

interface PreparedStep {
  name: string;
  send(earlier: readonly Step[]): Promise<Called>;
}

/** Half a batch is worse than none: what cannot be right, or may not run, is told before the first call is sent. */
async function prepareAll(calls: InnerCalls, input: Asked): Promise<PreparedStep[]> {
  const prepared: PreparedStep[] = [];
  for (const [at, asked] of input.calls.entries()) {
    const send = await prepareOne(calls, asked, at + 1).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const what = WRONG_USAGE.includes(error.code) ? 'cannot be right' : 'may not run';
      const message = phrase`Call ${at + 1} ${what}, so none was run. ${error.messageText}`;
      throw new Failure(error.code, message, error.hintText, { rule: error.rule, cause: error });
    });
    prepared.push({ name: asked.tool, send });
  }
  return prepared;
}

/** A call that uses what an earlier one gives is checked again when that is known. */
async function prepareOne(
  calls: InnerCalls,
  { tool: name, args = {}, expect }: Asked['calls'][number],
  at: number,
): Promise<PreparedStep['send']> {
  const asked = [{ name, args }, ...waitsFor(expect, args).map(wait => ({ name: 'wait', args: wait }))];
  const sends: ((earlier: readonly Step[]) => Promise<Called>)[] = [];
  for (const { name: tool, args: given } of asked) {
    const isFirst = sends.length === 0;
    const standing = withStandIns(given, isFirst ? at : at + 1);
    const send = await calls.prepare(tool, standing);
    const resolve = async (earlier: readonly Step[]) => (await calls.prepare(tool, withValues(given, earlier)))();
    sends.push(standing === given ? send : earlier => failing(() => resolve(earlier)));
  }
  const [act, ...waits] = sends as [PreparedStep['send'], ...PreparedStep['send'][]];
  return async earlier => {
    const called = await act(earlier);
    if (!called.ok) return called;
    const met: string[] = [];
    for (const wait of waits) {
      const { ok, failure, text: said } = await wait([...earlier, { tool: name, ...called }]);
      if (!ok) return unexpected(calls, called, failure, args);
      met.push(`As expected: ${said}`);
    }
    return { ...called, text: [called.text, ...met].join('\n') };
  };
}

const WAITS = {
  text: (said: string) => ({ for: 'text', text: said }),
  url: (said: string) => ({ for: 'url', url: said }),
  gone: (said: string) =>
    /^[@$]/.test(said) ? { for: 'selector_hidden', selector: said } : { for: 'text_hidden', text: said },
} as const;

function waitsFor(expect: z.output<typeof expectation> | undefined, { tabId }: Args): Args[] {
  const more = { timeout: EXPECT_MS, ...(tabId === undefined ? {} : { tabId }) };
  return Object.entries(expect ?? {}).flatMap(([key, said]) =>
    said === undefined ? [] : [{ ...WAITS[key as keyof typeof WAITS](said), ...more }],
  );
}

/** A failure before the call was sent is told like one of the call. */
const failing = (send: () => Promise<Called>): Promise<Called> =>
  send().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, text: error.message, failure: error, pictures: [] };
  });

/** It was done, but the page is not what was expected: tells what it shows instead. */
async function unexpected(calls: InnerCalls, done: Called, why: Called['failure'], { tabId }: Args): Promise<Called> {
  const look = { style: 'short', scope: 'view', max_chars: LONGEST_INSTEAD, ...(tabId === undefined ? {} : { tabId }) };
  const { ok, text: page } = await failing(async () => (await calls.prepare('snapshot', look))());
  const message = `${short(done.text, 250)}\n${why?.message ?? ''}${ok ? `\nInstead there is: ${page}` : ''}`;
  return { ...done, ok: false, text: message, failure: { code: why?.code ?? 'timeout', message } };
}

const short = (answer: string, most = LONGEST): string =>
  answer.length > most ? `${answer.slice(0, most).trimEnd()}… (${answer.length} characters in all)` : answer;

const lineOf = ({ tool: name, ok }: Step, at: number, answer: string): Phrase =>
  phrase`${at + 1}. ${toolName(name)}${ok ? '' : ' failed'}: ${answer}`;

/** Further lines of a step are set in: words of a page must not look like the next step. */
const setIn = (answer: string, most = LONGEST): string => short(answer, most).replaceAll('\n', '\n   ');

/** One line for most steps; the last is told whole. */
const linesOf = (steps: Step[]): Phrase[] =>
  steps.map((step, at) => lineOf(step, at, at === steps.length - 1 ? step.text : setIn(step.text)));

/** All of them, each in its share of the room. */
const doneBefore = (steps: Step[]): Part[] => {
  const most = Math.max(40, Math.floor(LONGEST_BEFORE / steps.length));
  return steps.length === 0
    ? []
    : ['Done before that:', ...steps.map((step, at) => lineOf(step, at, setIn(step.text, most)))];
};

function stopped(steps: Step[], all: number): Failure {
  const at = steps.length;
  const { tool: name, failure } = steps[at - 1] as Step;
  const rest = all - at;
  const notRun = rest === 0 ? [] : [`${counted(rest, 'later call')} not run.`];
  return new Failure(
    failure?.code ?? 'internal',
    joined(
      [
        phrase`Call ${at} of ${all}, ${toolName(name)}, failed: ${failure?.message ?? ''}`,
        ...doneBefore(steps.slice(0, -1)),
        ...notRun,
      ],
      '\n',
    ),
    failure?.hint,
    { rule: failure?.rule },
  );
}

function someFailed(steps: Step[]): Failure {
  const failed = steps.filter(({ ok }) => !ok);
  return new Failure(
    failed[0]?.failure?.code ?? 'internal',
    joined([`${failed.length} of ${steps.length} calls failed.`, ...linesOf(steps)], '\n'),
    undefined,
    { rule: failed[0]?.failure?.rule },
  );
}

/** The time is over, or the caller has cancelled. */
function endedIn(name: string, reason: unknown, steps: Step[]): unknown {
  if (!(reason instanceof Failure)) return reason;
  const where = phrase`${reason.messageText} It was in call ${steps.length + 1}, ${toolName(name)}.`;
  return new Failure(reason.code, joined([where, ...doneBefore(steps)], '\n'), reason.hintText);
}
