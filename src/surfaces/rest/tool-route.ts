// One tool over REST: path and body → call, result → status and JSON, or the bare picture.
import type { Result } from '../../call/call.ts';
import { failureText } from '../../call/present.ts';
import { displayName } from '../../session/names.ts';
import { HttpRefusal } from '../http/refuse.ts';
import type { RouteRequest } from '../http/route-group.ts';
import type { Listed } from '../listing/listing.ts';
import { propertiesOf } from '../listing/parameters.ts';
import { structuredForm } from '../listing/structured.ts';
import { STATUS } from './contract.ts';

type Args = Readonly<Record<string, unknown>>;

/** The caller's own session. */
export const OWN = 'default';

export async function callTool(visit: RouteRequest, tools: readonly Listed[]): Promise<void> {
  const { session = OWN, tool: name = '' } = visit.params;
  const body = await visit.body();
  const tool = tools.find(one => one.tool.name === name);
  answer(visit, await visit.run({ name, args: inSession(readArgs(body), session, tool) }));
}

export function answer({ req, json, send }: RouteRequest, result: Result): void {
  const { failure, pictures } = result;
  if (failure) {
    json(STATUS[failure.code], failureForm(result, failure));
    return;
  }
  const [picture, ...others] = pictures;
  if (picture && others.length === 0 && wantsPicture(req.headers.accept, picture.mimeType))
    send(200, picture.bytes, { 'content-type': picture.mimeType, vary: 'accept' });
  else json(200, successForm(result), pictures.length > 0 ? { vary: 'accept' } : {});
}

function successForm(result: Result): object {
  const { text, session, ms, pictures } = result;
  return {
    ...structuredForm(result),
    text,
    ...(session !== undefined && { session: displayName(session) }),
    ms,
    ...(pictures.length > 0 && { pictures: pictures.map(inJson) }),
  };
}

/** The rule is that of the policy, if one refused. The text is sent when it tells more, such as that the browser is a new one. */
function failureForm(result: Result, failure: NonNullable<Result['failure']>): object {
  const { rule } = failure;
  const { text } = result;
  return {
    ...structuredForm(result),
    ...(rule !== undefined && { rule }),
    ...(text !== failureText(failure) && { text }),
  };
}

const inJson = ({ mimeType, bytes }: Result['pictures'][number]) => ({ mimeType, base64: bytes.toString('base64') });

function readArgs(body: unknown): Args {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Args;
  throw new HttpRefusal('message', 'The body must be a JSON object: the arguments of the tool.');
}

/** The path says which session; the body may only say the same. */
function inSession(args: Args, session: string, tool: Listed | undefined): Args {
  if (args.session !== undefined && args.session !== session)
    throw new HttpRefusal('message', 'The path names the session. Leave "session" out of the body.');
  const { session: _, ...rest } = args;
  return session === OWN && !isAbout(tool, rest) ? rest : { ...rest, session };
}

/** Some tools are about a session, not in one; they want to be told its name, unless something else is given instead. */
function isAbout(tool: Listed | undefined, args: Args): boolean {
  if (!tool || !('session' in propertiesOf(tool.tool.inputSchema))) return false;
  const instead = (tool.oneOf ?? []).filter(names => names.includes('session')).flat();
  return !instead.some(name => args[name] !== undefined);
}

interface Wish {
  type: string;
  /** From 0, never, to 1. */
  weight: number;
}

/** True when the header names that type of picture, and puts JSON no higher. */
function wantsPicture(accept: string | undefined, mimeType: string): boolean {
  const wishes = (accept ?? '').split(',').map(wishOf);
  const picture = weightOf(wishes, [mimeType, 'image/*']);
  return picture > 0 && picture >= weightOf(wishes, ['application/json', 'application/*']);
}

function wishOf(text: string): Wish {
  const [type = '', ...rest] = text.split(';').map(part => part.trim().toLowerCase());
  const weight = Number(rest.find(part => part.startsWith('q='))?.slice(2) ?? 1);
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}

/** The first of the types that is named counts: it is the most exact one. */
function weightOf(wishes: readonly Wish[], types: readonly string[]): number {
  const [first] = types.flatMap(type => wishes.filter(wish => wish.type === type));
  return first?.weight ?? 0;
}
