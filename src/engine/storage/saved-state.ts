// SavedState: what is saved of a session's browser state. The schema of its file, and the types that follow from it.
import { z } from 'zod';
import type { SavedDatabase } from '../inpage/databases.ts';

const text = z.string();
const items = z.array(z.tuple([text, text]));

const cookie = z.object({
  name: text,
  value: text,
  domain: text,
  path: text,
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']),
  /** Of a partitioned cookie: the top-level site, and whether a frame of another site is between it and the frame. */
  partitionKey: text.optional(),
  _crHasCrossSiteAncestor: z.boolean().optional(),
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
const database = z.object({
  name: text,
  version: z.int().min(1),
  stores: z.array(store),
}) as unknown as z.ZodType<SavedDatabase>;

const origin = z.object({ origin: z.url(), local: items, databases: z.array(database) });

/** `session` is the session storage of the tab. */
const tab = z.object({ id: z.int().min(1), url: text, title: text, active: z.boolean(), session: items });

/** `at` is when the state was read, ms since 1970. */
export const SAVED_STATE = z.object({
  at: z.number().min(0),
  cookies: z.array(cookie),
  origins: z.array(origin),
  tabs: z.array(tab),
});

export type SavedCookie = z.output<typeof cookie>;
export type SavedTab = z.output<typeof tab>;
export type SavedOrigin = z.output<typeof origin>;
export type SavedState = z.output<typeof SAVED_STATE>;
