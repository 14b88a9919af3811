// One tool over REST: path and body → call, result → status and JSON, or the bare picture.
import type { Result } from '../../call/call.ts';
import { failureText } from '../../call/present.ts';
import { defined, isRecord } from '../../defined.ts';
import { HttpRefusal } from '../http/refuse.ts';
import type { HttpRequest } from '../http/routes.ts';
import type { Listed } from '../listing/listing.ts';
import { propertiesOf } from '../listing/parameters.ts';
import { structuredForm } from '../listing/structured.ts';
import { STATUS } from './contract.ts';

type Args = Readonly<Record<string, unknown>>;

/** The caller's own session. */
export const OWN = 'default';

export async function callTool(request: HttpRequest, tools: readonly Listed[]): Promise<void> {
  const { session = OWN, tool: name = '' } = request.params;
  const tool = tools.find(one => one.tool.name === name);
  answer(request, await request.run({ name, args: inSession(readArgs(request.body), session, tool) }));
}

export function answer({ req, json, send }: HttpRequest, result: Result): void {
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
  return defined({
    ...structuredForm(result),
    text,
    session,
    ms,
    pictures: pictures.length > 0 ? pictures.map(inJson) : undefined,
  });
}

/** The rule is that of the policy, if one refused. The text is sent when it tells more, such as that the browser is a new one. */
function failureForm(result: Result, failure: NonNullable<Result['failure']>): object {
  const text = result.text === failureText(failure) ? undefined : result.text;
  return defined({ ...structuredForm(result), rule: failure.rule, text });
}

const inJson = ({ mimeType, bytes }: Result['pictures'][number]) => ({ mimeType, base64: bytes.toString('base64') });

function readArgs(body: unknown): Args {
  if (body === undefined) return {};
  if (isRecord(body)) return body;
  throw new HttpRefusal('message', 'The body must be a JSON object: the arguments of the tool.');
}

/** The path names the session; the body may only name the same one. */
function inSession(args: Args, session: string, tool: Listed | undefined): Args {
  if (args.session !== undefined && args.session !== session)
    throw new HttpRefusal('message', 'The path names the session. Leave "session" out of the body.');
  const { session: _, ...rest } = args;
  return session === OWN && !isAbout(tool, rest) ? rest : { ...rest, session };
}

/** Some tools are about a session, not in one; they need its name, unless something else is given instead. */
function isAbout(tool: Listed | undefined, args: Args): boolean {
  if (!tool || !('session' in propertiesOf(tool.tool.inputSchema))) return false;
  const instead = (tool.oneOf ?? []).filter(names => names.includes('session')).flat();
  return !instead.some(name => args[name] !== undefined);
}

interface AcceptedType {
  type: string;
  /** From 0, never, to 1. */
  weight: number;
}

/** True when the header names that type of picture, and puts JSON no higher. */
function wantsPicture(accept: string | undefined, mimeType: string): boolean {
  const accepted = (accept ?? '').split(',').map(acceptedType);
  const picture = weightOf(accepted, [mimeType, 'image/*']);
  return picture > 0 && picture >= weightOf(accepted, ['application/json', 'application/*']);
}

function acceptedType(text: string): AcceptedType {
  const [type = '', ...rest] = text.split(';').map(part => part.trim().toLowerCase());
  const weight = Number(rest.find(part => part.startsWith('q='))?.slice(2) ?? 1);
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}

/** The first of the types that is named counts: it is the most exact one. */
function weightOf(accepted: readonly AcceptedType[], types: readonly string[]): number {
  const [first] = types.flatMap(type => accepted.filter(one => one.type === type));
  return first?.weight ?? 0;
}
