// The headers and the body of a request with the values of secrets in place of their handles, if they may go to its origin.
import { hasHandle } from '../../../policy/secrets/handles.ts';
import type { Limits } from '../../limits.ts';
import { joinedParts, partsOf } from '../../secrets.ts';
import type { BodyInput } from './body.ts';

interface Filled extends BodyInput {
  headers?: Record<string, string> | undefined;
}

/** `secret` tells what holds a value now. */
export async function fillHandles<T extends Filled>(
  input: T,
  origin: string,
  limits: Limits,
): Promise<{ input: T; secret: { headers: string[]; body: boolean } }> {
  const { headers = {}, body, json, form_data } = input;
  const given = { body, json, form_data };
  const names = Object.keys(headers).filter(name => hasHandle(headers[name] ?? ''));
  const inBody = holdsHandle(given);
  if (names.length === 0 && !inBody) return { input, secret: { headers: [], body: false } };
  const fill = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return joinedParts(await partsOf(value, async () => origin, limits));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return Promise.all(value.map(fill));
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([key, one]) => [key, await fill(one)])),
    );
  };
  // The path of a file is none of their places.
  const isFile = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields = Object.fromEntries(Object.entries(form_data ?? {}).filter(([, value]) => !isFile(value)));
  const filled = (await fill({ headers, body, json, form_data: fields })) as Filled;
  const form = form_data && { form_data: { ...form_data, ...filled.form_data } };
  return {
    input: { ...input, ...filled, form_data: undefined, ...form },
    secret: { headers: names.map(name => name.toLowerCase()), body: inBody },
  };
}

const holdsHandle = (value: unknown): boolean =>
  typeof value === 'string' ? hasHandle(value) : Object.values(Object(value)).some(holdsHandle);
