// Reads what the page sends over its WebSocket: only messages of the protocol, with numbers and texts within bounds.
import { z } from 'zod';
import type { ClientMessage } from '../protocol.ts';

const name = z.string().min(1).max(200);
const count = z.int().min(0).max(0xffff_ffff);
const place = z.number().min(-100_000).max(100_000);
const modifiers = z.int().min(0).max(15);
/** Of what is pasted at once. */
const text = z.string().max(100_000);

const input = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('mouse'),
    action: z.enum(['move', 'down', 'up']),
    x: place,
    y: place,
    button: z.enum(['none', 'left', 'middle', 'right']),
    buttons: z.int().min(0).max(31),
    clicks: z.int().min(0).max(3),
    modifiers,
  }),
  z.strictObject({ kind: z.literal('wheel'), x: place, y: place, dx: place, dy: place, modifiers }),
  z.strictObject({
    kind: z.literal('key'),
    action: z.enum(['down', 'up']),
    key: z.string().min(1).max(40),
    code: z.string().max(40),
    keyCode: z.int().min(0).max(255),
    location: z.int().min(0).max(3),
    repeat: z.boolean(),
    modifiers,
  }),
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('compose'), text: z.string().max(1_000) }),
  z.strictObject({
    kind: z.literal('touch'),
    action: z.enum(['start', 'move', 'end', 'cancel']),
    points: z.array(z.strictObject({ id: z.int().min(0).max(100), x: place, y: place })).max(10),
  }),
  z.strictObject({ kind: z.literal('history'), to: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ kind: z.literal('release') }),
]);

const value = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('select'), options: z.array(count).max(1_000) }),
  z.strictObject({ kind: z.literal('date'), value: z.string().max(100) }),
  z.strictObject({ kind: z.literal('dialog'), accept: z.boolean(), text: z.string().max(10_000).exactOptional() }),
  z.strictObject({ kind: z.literal('file'), files: z.array(name).max(20) }),
]);

const id = { id: count.exactOptional() };
const ofTab = { ...id, session: name, tab: count };
const withLease = { ...ofTab, lease: name };

const message: z.ZodType<ClientMessage> = z.discriminatedUnion('type', [
  z.strictObject({ ...id, type: z.literal('follow'), session: name, after: count.exactOptional() }),
  z.strictObject({ ...id, type: z.literal('unfollow') }),
  z.strictObject({ ...ofTab, type: z.literal('watch'), watch: count, size: z.enum(['thumb', 'full']) }),
  z.strictObject({ ...id, type: z.literal('unwatch'), watch: count }),
  z.strictObject({ ...id, type: z.literal('drawn'), watch: count, frame: count }),
  z.strictObject({ ...ofTab, type: z.literal('look') }),
  z.strictObject({ ...id, type: z.literal('take'), session: name }),
  z.strictObject({ ...id, type: z.enum(['beat', 'handBack']), session: name, lease: name }),
  z.strictObject({ ...withLease, type: z.literal('input'), input }),
  z.strictObject({ ...withLease, type: z.literal('answer'), control: name, value }),
  z.strictObject({
    ...withLease,
    type: z.literal('permit'),
    permission: z.enum(['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read']),
    allow: z.boolean(),
  }),
  z.strictObject({
    ...id,
    type: z.literal('approve'),
    approval: name,
    answer: z.enum(['once', 'session', 'refuse']),
  }),
  z.strictObject({ ...id, type: z.literal('help'), ask: name, answer: z.enum(['done', 'declined']) }),
  z.strictObject({ ...id, type: z.literal('close'), session: name }),
]);

/** Undefined for what is no message of the protocol. */
export function readMessage(json: string): ClientMessage | undefined {
  try {
    return message.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined; // no JSON
  }
}
