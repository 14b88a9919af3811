// A call that a person must approve: asked about, then sent again with the answer.
import type { Result } from '../../call/call.ts';
import type { Approval, Question } from '../../call/message.ts';

/** The name of the question in the protocol, among those that a server may ask. */
export const APPROVAL = 'approval';

/** The page may have changed while a person thought: then there is another question. Not for ever. */
export const MOST_QUESTIONS = 3;

type Run = (approval: Approval) => Promise<Result>;

/** From the first result, which may be a question, to the last. */
export async function settle(
  first: Result,
  run: Run,
  ask: (ask: Question, asked: Result) => Promise<Approval['answer']>,
): Promise<Result> {
  let result = first;
  for (let left = MOST_QUESTIONS; result.ask && left > 0; left--)
    result = await run({ id: result.ask.id, answer: await ask(result.ask, result) });
  return result;
}
