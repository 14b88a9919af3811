// Explains failures: the cause behind a deadline, and a message instead of a stack for what nobody expected.
import type { Log } from '../config/log.ts';
import { isTimeout } from '../engine/limits.ts';
import { diagnoseTimeout } from '../engine/tab/stuck.ts';
import type { Tab } from '../engine/tab/tab.ts';
import { Failure } from '../errors.ts';
import { inWording, type Wording } from '../text.ts';
import type { AnyTool } from '../tools/tool.ts';

/** After the deadline run() gets this long, in ms, to say itself what it waited for: the clock cannot know. */
const LAST_WORD = 250;
/** How long, in ms, the tab may take to find out why it did not answer: longer than all its own waits (stuck.ts). */
const DIAGNOSIS = 10_000;
const LONGEST = 200;

/** Settles as run() does, but soon after the signal aborts at the latest; at once when the caller cancelled. */
export function settled<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const abort = () => {
      const giveUp = () => reject(signal.reason);
      if (isTimeout(signal.reason)) timer = setTimeout(giveUp, LAST_WORD);
      else giveUp();
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    running
      // What breaks because of the abort is no cause of its own.
      .then(resolve, error => reject(signal.aborted && !(error instanceof Failure) ? signal.reason : error))
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      });
  });
}

/** The failure that the caller is told. A tab that was too slow is asked why, and freed when it is stuck. */
export async function explain(error: unknown, tab: Tab | undefined, log: Log): Promise<Failure> {
  const failure = error instanceof Failure ? error : internal(error, log);
  return tab && isTimeout(failure) ? diagnosis(failure, tab, log) : failure;
}

/** For a native caller that called the tool by a name of another dialect: only the tool itself is named differently. */
export const aliasWording = (tool: AnyTool, name: string): Wording => ({
  strict: false,
  tool: () => undefined,
  called: native => (native === tool.name ? name : native),
  argument: native => native,
  ref: number => `@e${number}`,
  tab: id => `tab ${id}`,
  noun: word => word,
});

/** The failure of a native call, which names the tool as the caller did. */
export function namedAsCalled(failure: Failure, wording: Wording | undefined): Failure {
  if (!wording) return failure;
  const { code, messageText, hintText, rule } = failure;
  const hint = hintText && inWording(hintText, wording);
  return new Failure(code, inWording(messageText, wording), hint, { cause: failure, rule });
}

async function diagnosis(failure: Failure, tab: Tab, log: Log): Promise<Failure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Failure>(resolve => {
    timer = setTimeout(resolve, DIAGNOSIS, failure);
  });
  const found = diagnoseTimeout(tab, failure).catch((error: unknown) => {
    log.debug(`diagnosing a timeout: ${stackOf(error)}`);
    return failure;
  });
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}

function internal(error: unknown, log: Log): Failure {
  log.debug(stackOf(error));
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  return new Failure('internal', `A fault in Tabwright: ${short}`, 'Try another way; --log-level debug shows more.', {
    cause: error,
  });
}

const stackOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error);
