// The form of a kept session in its file. A file can be changed by others, or be of another version: it is checked first.
import { z } from 'zod';
import type { Kept } from './directory.ts';

const text = z.string();
const time = z.number().min(0);
const items = z.array(z.tuple([text, text]));

const cookie = z.looseObject({
  name: text,
  value: text,
  domain: text,
  path: text,
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']),
});

const paths = z.union([text, z.array(text)]);
const index = z.object({ name: text, keyPath: paths, unique: z.boolean(), multiEntry: z.boolean() });
const store = z.object({
  name: text,
  keyPath: paths.nullable(),
  autoIncrement: z.boolean(),
  indexes: z.array(index),
  records: z.array(z.tuple([z.unknown(), z.unknown()])),
});
const database = z.object({ name: text, version: z.int().min(1), stores: z.array(store) });

const FORM = z.object({
  version: z.literal(1),
  name: text,
  owner: text,
  shared: z.boolean(),
  createdAt: time,
  lastActivity: time,
  state: z.object({
    at: time,
    cookies: z.array(cookie),
    origins: z.array(z.object({ origin: z.url(), local: items, databases: z.array(database) })),
    tabs: z.array(z.object({ id: z.int().min(1), url: text, title: text, active: z.boolean(), session: items })),
  }),
});

export const toText = (kept: Kept): string => JSON.stringify({ version: 1, ...kept });

/** Throws when it is not what this version writes. */
export function fromText(json: string, name: string): Kept {
  const { version: _, ...kept } = FORM.parse(JSON.parse(json));
  if (kept.name !== name) throw new Error('it is of another session');
  return kept as Kept;
}
