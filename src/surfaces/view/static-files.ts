// The files of the page at /view, as the build has made them, and the headers under which a browser may use them.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { HttpRefusal } from '../http/refuse.ts';
import type { HttpRequest } from '../http/routes.ts';

/** Beside the folder that the parts of the build are in. */
const FILES = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/web/' : '../web/', import.meta.url);

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9]+)$/;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Only what comes from here runs or is loaded, and nobody frames it. The Host was checked, so it may stand in a header. */
const headersFor = (host: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
});

export async function sendFile({ req, send }: HttpRequest, name: string): Promise<void> {
  const type = TYPES[extname(name)];
  const bytes =
    type !== undefined && NAME.test(name) ? await readFile(new URL(name, FILES)).catch(unlessMissing) : undefined;
  if (!bytes || type === undefined) throw new HttpRefusal('path', 'There is no such file of the page.');
  send(200, bytes, { 'content-type': type, ...headersFor(req.headers.host ?? '') });
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
