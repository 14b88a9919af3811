// The WebSocket to the server: messages with answers, pictures, and a new attempt, later each time, when it breaks.
import { type ClientMessage, FRAME, type ServerMessage } from '../../surfaces/view/protocol.ts';
import { isLoggedIn } from './api.ts';
import { hello, link, notify, overview } from './state.ts';

/** The picture of a watch, and how large what it shows is in CSS pixels. */
export interface LiveFrame {
  watch: number;
  frame: number;
  width: number;
  height: number;
  jpeg: Blob;
}

type Answer = Extract<ServerMessage, { type: 'done' | 'snapshot' }>;
type OfType<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

let socket: WebSocket | undefined;
let attempts = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
const handlers = new Map<string, Set<(message: never) => void>>();
const frameHandlers = new Set<(frame: LiveFrame) => void>();

/** Takes messages of a type from now on; the answer ends it. */
export function on<T extends ServerMessage['type']>(type: T, take: (message: OfType<T>) => void): () => void {
  const all = handlers.get(type) ?? new Set();
  handlers.set(type, all.add(take));
  return () => all.delete(take);
}

export const onFrame = (take: (frame: LiveFrame) => void): void => {
  frameHandlers.add(take);
};

/** Without a connection it is lost: who needs it says it again after `hello`. */
export function send(message: ClientMessage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Rejects with the message and the hint of the server. */
export function request(message: ClientMessage): Promise<Answer> {
  if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The server cannot be reached now.'));
  const id = ++lastId;
  send({ ...message, id });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** Sends it; a refusal is shown to the person. Whether it was done. */
export const ask = (message: ClientMessage): Promise<boolean> =>
  request(message).then(
    () => true,
    (error: Error) => {
      notify(error.message);
      return false;
    },
  );

export function connect(): void {
  clearTimeout(timer);
  link.value = { state: 'connecting' };
  const opened = new WebSocket(new URL('live', location.href.replace(/^http/, 'ws')));
  opened.binaryType = 'arraybuffer';
  opened.onmessage = ({ data }) => (typeof data === 'string' ? take(JSON.parse(data)) : takeFrame(data));
  opened.onclose = () => {
    if (socket === opened) void lost();
  };
  socket = opened;
}

async function lost(): Promise<void> {
  for (const { reject } of waiting.values()) reject(new Error('The connection broke before the server answered.'));
  waiting.clear();
  if (!(await isLoggedIn())) {
    hello.value = undefined;
    overview.value = undefined;
    link.value = { state: 'login' };
    return;
  }
  const ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempts) * (0.75 + Math.random() / 2);
  attempts += 1;
  link.value = { state: 'waiting', until: Date.now() + ms, attempts };
  timer = setTimeout(connect, ms);
}

function take(message: ServerMessage): void {
  if (message.type === 'hello') {
    attempts = 0;
    hello.value = message;
    link.value = { state: 'open' };
  } else if (message.type === 'overview') overview.value = message;
  else if (message.type === 'error') refused(message);
  if ((message.type === 'done' || message.type === 'snapshot') && message.id !== undefined)
    answered(message.id)?.resolve(message);
  for (const handler of handlers.get(message.type) ?? []) handler(message as never);
}

function refused({ id, message, hint }: OfType<'error'>): void {
  const text = [message, hint].filter(Boolean).join(' ');
  const asked = id === undefined ? undefined : answered(id);
  if (asked) asked.reject(new Error(text));
  else notify(text);
}

function answered(id: number) {
  const asked = waiting.get(id);
  waiting.delete(id);
  return asked;
}

function takeFrame(data: ArrayBuffer): void {
  const header = new DataView(data);
  const frame = {
    watch: header.getUint32(FRAME.watch, true),
    frame: header.getUint32(FRAME.frame, true),
    width: header.getUint16(FRAME.width, true),
    height: header.getUint16(FRAME.height, true),
    jpeg: new Blob([new Uint8Array(data, FRAME.jpeg)], { type: 'image/jpeg' }),
  };
  for (const handler of frameHandlers) handler(frame);
}
