// Serves the pages on loopback; each is built when it is first asked for.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuiltPage, buildPage } from './build.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The folders with pages; what begins with a capital letter or is named here is a part of pages. */
const FOLDERS = ['frameworks', 'kits', 'lists', 'fields', 'data', 'editors', 'drawings'];
const PARTS = new Set(['data.js', 'board.jsx', 'render.jsx', 'held.js']);

/** Name of a page → its source. */
const sources = new Map(
  FOLDERS.flatMap(folder =>
    readdirSync(join(HERE, folder))
      .filter(file => /^[a-z].*\.jsx?$/.test(file) && !PARTS.has(file))
      .map(file => [file.replace(/\.\w+$/, ''), join(HERE, folder, file)] as const),
  ),
);

export const pageNames: readonly string[] = [...sources.keys()];

const LAYOUT = `
  body { font: 16px sans-serif; margin: 16px }
  table { border-collapse: collapse } td { padding: 4px 12px; border: 1px solid #ccc }
  .account, .card { width: 160px; padding: 8px; margin: 8px 0; border: 1px solid #999 }
  .column { width: 240px; height: 80px; border: 1px dashed #999 }`;

const shell = (name: string, { script, style }: BuiltPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title><style>${LAYOUT}</style><style>${style}</style></head>
<body><div id="root"></div><script>window.outcome = {}</script>
<script>${script.replaceAll('</script', '<\\/script')}</script></body></html>`;

export interface Pages {
  url(name: string): string;
  close(): Promise<void>;
}

export async function startPages(packages: string): Promise<Pages> {
  const built = new Map<string, Promise<BuiltPage>>();
  const pageOf = (name: string, source: string): Promise<BuiltPage> => {
    const page = built.get(name) ?? buildPage(source, packages);
    built.set(name, page);
    return page;
  };
  const server = createServer(async (request, response) => {
    const [, name = '', said] = (request.url ?? '').split('/').map(decodeURIComponent);
    const source = sources.get(name);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (name === 'said') response.end(said);
    else if (!source) response.writeHead(404).end();
    else
      await pageOf(name, source).then(
        page => response.end(shell(name, page)),
        (error: Error) => response.writeHead(500).end(error.message),
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: name => `http://127.0.0.1:${port}/${name}`,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
