// Answer: what is said of a call that was carried out, in our words or in those of its dialect, and the data beside it.
import type { Around, Row } from '../dialects/dialect.ts';
import { shaped } from '../dialects/shape.ts';
import { Failure } from '../errors.ts';
import { lookAround, type Scene } from './around.ts';
import { explain } from './late.ts';
import { followTab, returnToFirst } from './manners.ts';
import { type Structured, takePictures } from './present.ts';
import { printerOf, sayEnd, sayFailure, sayJson, sayLenient, sayText, wordingFor } from './speak.ts';

export interface Answer extends Structured {
  text: string;
  failure?: Failure;
  /** The failure is no error to the caller. */
  lenient?: true;
  /** The whole text, with what the session has to tell once. */
  print?(notes: readonly string[]): string;
}

/** Of a call that went well. */
export async function answerOf(scene: Scene): Promise<Answer> {
  const { call, way, data } = scene;
  const { tool, input = {}, row } = way;
  if (!tool) throw new Failure('internal', 'An answer without its tool.');
  const text = tool.text(data, input);
  if (tool.effect !== 'read') way.tab?.events.emit('acted', tool.name, text);
  followTab(call, way.tab, data);
  returnToFirst(call, way.session, data);
  const around = await lookAround(scene);
  const asked = spokenIn(scene);
  const { data: facts, pictures } = takePictures(data, wordingFor(asked, tool));
  const own = { row, facts: { ...Object(facts), input, given: Object(call.args) } };
  if (row?.gives !== undefined) {
    const json = shaped(row.gives, own.facts);
    return { text: '', data: json, pictures, print: notes => sayJson(json, notes) };
  }
  const words = sayText(asked, tool, text, own);
  return { text: words, data: facts, pictures, ...printed(scene, words, around, own) };
}

/** Of one that failed, where its dialect makes no error of that; undefined where it does. */
export async function lenientAnswer(scene: Omit<Scene, 'data'>, error: unknown): Promise<Answer | undefined> {
  const { call, way, server } = scene;
  const words = error instanceof Failure && error.rule === undefined ? way.row?.lenient?.[error.code] : undefined;
  if (words === undefined) return undefined;
  const failure = sayFailure(spokenIn(scene), way.tool, await explain(error, way.tab, server.log));
  const said = sayLenient(words, { given: Object(call.args), failure: failure.message });
  const around = await lookAround({ ...scene, data: undefined });
  const answer: Answer = { text: said, data: undefined, pictures: [], failure, lenient: true };
  return { ...answer, ...printed({ ...scene, data: undefined }, said, around) };
}

/** Who asked, and which snapshot the refs are told from. */
export const spokenIn = ({ call, way }: Pick<Scene, 'call' | 'way'>) => ({
  ...call,
  dialect: call.answerIn ?? call.dialect ?? 'native',
  snapshot: way.session?.shown.snapshot?.number ?? 0,
  tabs: [...(way.session?.context.tabs.keys() ?? [])],
});

function printed(
  scene: Scene,
  words: string,
  around: Around,
  own?: { row?: Row | undefined; facts: Record<string, unknown> },
): Pick<Answer, 'print'> {
  const print = printerOf(scene.call);
  if (!print) return {};
  const end = own ? sayEnd(own) : '';
  return { print: notes => print({ tool: scene.call.name, notes, words, end, around }) };
}
