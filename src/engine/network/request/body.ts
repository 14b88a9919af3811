// The body of a request: text, JSON, or a multipart form with fields and files.
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Failure } from '../../../errors.ts';

export interface BodyInput {
  body?: string | undefined;
  json?: unknown;
  form_data?: Record<string, unknown> | undefined;
}

export interface RequestBody {
  headers: Record<string, string>;
  body?: Buffer;
}

/** Where a file is that the caller names; rejects when the caller may not read it. */
type Locate = (given: string) => Promise<string>;

/** All files of a form together. */
const MOST_BYTES = 50_000_000;

export async function bodyOf(input: BodyInput, locate: Locate): Promise<RequestBody> {
  const given = (['body', 'json', 'form_data'] as const).filter(key => input[key] !== undefined);
  if (given.length > 1)
    throw new Failure('bad_input', `A request has one body, but got ${given.join(' and ')}.`, 'Give one of them.');
  if (input.body !== undefined) return packed('text/plain;charset=UTF-8', input.body);
  if (input.json !== undefined) return packed('application/json', JSON.stringify(input.json));
  if (input.form_data === undefined) return { headers: {} };
  const whole = new Response(await formOf(input.form_data, locate));
  return packed(whole.headers.get('content-type') ?? '', await whole.arrayBuffer());
}

function packed(type: string, content: string | ArrayBuffer): RequestBody {
  const body = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  return { headers: { 'content-type': type, 'content-length': String(body.length) }, body };
}

async function formOf(fields: Record<string, unknown>, locate: Locate): Promise<FormData> {
  const form = new FormData();
  let left = MOST_BYTES;
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'object' || item === null) {
        form.append(name, String(item));
        continue;
      }
      const file = await fileOf(name, item as FilePart, locate, left);
      left -= file.size;
      form.append(name, file);
    }
  return form;
}

interface FilePart {
  path?: unknown;
  base64?: unknown;
  name?: unknown;
  mime_type?: unknown;
}

const KEYS = ['path', 'base64', 'name', 'mime_type'];

async function fileOf(field: string, part: FilePart, locate: Locate, left: number): Promise<File> {
  const { path, base64, name, mime_type } = part;
  const isOdd = Object.entries(part).some(([key, value]) => !KEYS.includes(key) || typeof value !== 'string');
  if (isOdd || (path === undefined) === (base64 === undefined))
    throw new Failure(
      'bad_input',
      `form_data.${field} is neither a plain value nor a file.`,
      'A file is {path} or {base64}, with name and mime_type if you like.',
    );
  const bytes = path === undefined ? Buffer.from(String(base64), 'base64') : await bytesOf(String(path), locate, left);
  if (bytes.length > left) throw tooLarge();
  const fileName = String(name ?? basename(String(path ?? 'file')));
  return new File([new Uint8Array(bytes)], fileName, { type: String(mime_type ?? 'application/octet-stream') });
}

async function bytesOf(given: string, locate: Locate, left: number): Promise<Buffer> {
  const path = await locate(given);
  if ((await stat(path)).size > left) throw tooLarge();
  return readFile(path);
}

const tooLarge = (): Failure =>
  new Failure(
    'bad_input',
    `The files of a form may have ${MOST_BYTES / 1_000_000} MB in all.`,
    'Send fewer or smaller ones.',
  );
