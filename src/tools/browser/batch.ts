// The tool that runs several calls in one.
import { z } from 'zod';
import { counted } from '../../engine/amounts.ts';
import { type Limits, under } from '../../engine/limits.ts';
import { Failure, WRONG_USAGE } from '../../errors.ts';
import { joined, type Part, type Phrase, phrase, toolName } from '../../text.ts';
import { about, on, text, typedData } from '../arguments.ts';
import { type Called, type InnerCalls, tool } from '../tool.ts';

const MOST_CALLS = 50;
/** Of an answer that is not the last one. */
const LONGEST = 500;

interface Step extends Called {
  tool: string;
}

const one = z.strictObject({
  tool: text(100).refine(name => name !== 'batch', 'a batch cannot hold a batch'),
  // Each call has a record of its own.
  args: typedData().optional(),
});

interface Asked {
  calls: z.output<typeof one>[];
  stop_on_error: boolean;
}

export const batch = tool({
  core: true,
  summary:
    'Run several tools in order with one call, such as filling and sending a form. Long answers are cut, but for the last.',
  example: ['[{"tool":"title"},{"tool":"snapshot"}]'],
  on: 'calls',
  effect: 'write',
  time: Number.POSITIVE_INFINITY,
  input: {
    calls: about('The tools to run, each with its arguments', z.array(one).min(1).max(MOST_CALLS)),
    stop_on_error: about('Run none after one that fails', on),
  },
  run: (calls, input, limits) => runAll(calls, input, limits),
  text: ({ steps }) => joined(linesOf(steps), '\n'),
});

async function runAll(calls: InnerCalls, input: Asked, limits: Limits): Promise<{ steps: Step[] }> {
  const prepared = await prepareAll(calls, input);
  const steps: Step[] = [];
  for (const { name, send } of prepared) {
    const called = await under(limits.signal, send()).catch(error => {
      throw endedIn(name, error, steps);
    });
    steps.push({ tool: name, ...called });
    if (!called.ok && input.stop_on_error) throw stopped(steps, prepared.length);
  }
  if (steps.some(({ ok }) => !ok)) throw someFailed(steps);
  return { steps };
}

/** Half a batch is worse than none: what cannot be right, or may not run, is told before the first call is sent. */
async function prepareAll(calls: InnerCalls, input: Asked): Promise<{ name: string; send: () => Promise<Called> }[]> {
  const prepared: Awaited<ReturnType<typeof prepareAll>> = [];
  for (const [at, { tool: name, args = {} }] of input.calls.entries()) {
    const send = await calls.prepare(name, args).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const what = WRONG_USAGE.includes(error.code) ? 'cannot be right' : 'may not run';
      const message = phrase`Call ${at + 1} ${what}, so none was run. ${error.messageText}`;
      throw new Failure(error.code, message, error.hintText, { rule: error.rule, cause: error });
    });
    prepared.push({ name, send });
  }
  return prepared;
}

const short = (answer: string): string =>
  answer.length > LONGEST ? `${answer.slice(0, LONGEST).trimEnd()}… (${answer.length} characters in all)` : answer;

const lineOf = ({ tool: name, ok }: Step, at: number, answer: string): Phrase =>
  phrase`${at + 1}. ${toolName(name)}${ok ? '' : ' failed'}: ${answer}`;

/** Further lines of a step are set in: words of a page must not look like the next step. */
const setIn = (answer: string): string => short(answer).replaceAll('\n', '\n   ');

/** One line for most steps; the last is told whole. */
const linesOf = (steps: Step[]): Phrase[] =>
  steps.map((step, at) => lineOf(step, at, at === steps.length - 1 ? step.text : setIn(step.text)));

const doneBefore = (steps: Step[]): Part[] =>
  steps.length === 0 ? [] : ['Done before that:', ...steps.map((step, at) => lineOf(step, at, setIn(step.text)))];

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
