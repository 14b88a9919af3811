// The tool that runs several calls in one.
import { z } from 'zod';
import { type Limits, under } from '../../engine/limits.ts';
import { Failure, WRONG_USAGE } from '../../errors.ts';
import { joined, type Part, type Phrase, phrase, toolName } from '../../text.ts';
import { counted } from '../effects-text.ts';
import { type Called, type InnerCalls, tool } from '../tool.ts';

const MOST_CALLS = 50;
/** Of an answer that is not the last one. */
const LONGEST = 500;

interface Step extends Called {
  tool: string;
}

const one = z.strictObject({
  tool: z
    .string()
    .max(100)
    .refine(name => name !== 'batch', 'a batch cannot hold a batch'),
  args: z.record(z.string(), z.unknown()).optional(),
});

interface Asked {
  calls: z.output<typeof one>[];
  stop_on_error: boolean;
}

export const batch = tool({
  name: 'batch',
  group: 'execution',
  core: true,
  summary:
    'Run several tools in order with one call, such as filling and sending a form. Long answers are cut, but for the last.',
  on: 'calls',
  effect: 'write',
  time: Number.POSITIVE_INFINITY,
  input: {
    calls: z.array(one).min(1).max(MOST_CALLS),
    stop_on_error: z.boolean().default(true),
  },
  run: (calls, input, limits) => runAll(calls, input, limits),
  text: ({ steps }) => joined(linesOf(steps), '\n'),
});

async function runAll(calls: InnerCalls, input: Asked, limits: Limits): Promise<{ steps: Step[] }> {
  await checkAll(calls, input);
  const steps: Step[] = [];
  for (const { tool: name, args = {} } of input.calls) {
    const called = await under(limits.signal, calls.send(name, args)).catch(error => {
      throw endedIn(name, error, steps);
    });
    steps.push({ tool: name, ...called });
    if (!called.ok && input.stop_on_error) throw stopped(steps, input.calls.length);
  }
  if (steps.some(({ ok }) => !ok)) throw someFailed(steps);
  return { steps };
}

/** Half a batch is worse than none: what cannot be right, or may not run, is told before the first call is sent. */
async function checkAll(calls: InnerCalls, input: Asked): Promise<void> {
  for (const [at, { tool: name, args = {} }] of input.calls.entries())
    await calls.check(name, args).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const what = WRONG_USAGE.includes(error.code) ? 'cannot be right' : 'may not run';
      const message = phrase`Call ${at + 1} ${what}, so none was run. ${error.messageText}`;
      throw new Failure(error.code, message, error.hintText, { rule: error.rule, cause: error });
    });
}

const short = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}… (${text.length} characters in all)` : text;

const lineOf = ({ tool: name, ok }: Step, at: number, text: string): Phrase =>
  phrase`${at + 1}. ${toolName(name)}${ok ? '' : ' failed'}: ${text}`;

/** One line for most steps; the last is told whole. */
const linesOf = (steps: Step[]): Phrase[] =>
  steps.map((step, at) => lineOf(step, at, at === steps.length - 1 ? step.text : short(step.text)));

const doneBefore = (steps: Step[]): Part[] =>
  steps.length === 0 ? [] : ['Done before that:', ...steps.map((step, at) => lineOf(step, at, short(step.text)))];

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
