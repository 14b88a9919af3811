// The pages of the benchmark: those of the test site, and a long article.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { document } from '../test/site/dynamic.ts';
import { type Site, startSite } from '../test/site/serve.ts';

export interface Pages {
  rows(count: number): string;
  elements(count: number): string;
  signup: string;
  article: string;
  /** The sign-ups that reached the site since the last time this was asked. */
  takeSignups(): URLSearchParams[];
  close(): Promise<void>;
}

const SECTIONS = 12;
const PARAGRAPHS = 4;
const SENTENCES = [
  'The river turns south below the old bridge and is wide there.',
  'Nobody remembers who built the second mill, though the year is cut into its door.',
  'In dry summers the ford can be crossed on foot.',
  'A map from the archive shows three houses where there is only grass today.',
  'The ferry ran twice a day until the road was finished.',
  'Herons nest in the willows, and in cold years also swans.',
];
export const FIRST_WORDS = 'This is how the article begins.';
export const LAST_WORDS = 'This is how the article ends.';

function paragraph(section: number, at: number): string {
  const own = (next: number) => SENTENCES[(section * 5 + at * 2 + next) % SENTENCES.length];
  const link = `<a href="#note-${section}-${at}">note ${section}.${at}</a>`;
  return `<p>${own(0)} ${own(1)} See <em>also</em> ${link}, and <strong>mind the date</strong>. ${own(2)}</p>`;
}

function section(number: number): string {
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, at) => paragraph(number, at + 1)).join('\n');
  const list = `<ul><li>Length: ${number * 7} km</li><li>Bridges: ${number}</li></ul>`;
  return `<h2 id="part-${number}">Part ${number}</h2>\n${paragraphs}\n${list}`;
}

export function articlePage(): string {
  const parts = Array.from({ length: SECTIONS }, (_, at) => section(at + 1)).join('\n');
  const body = `<main><article><h1>The river</h1><p>${FIRST_WORDS}</p>\n${parts}\n<p>${LAST_WORDS}</p></article></main>`;
  return document('The river', body);
}

async function serveArticle(): Promise<{ url: string; close(): Promise<void> }> {
  const html = articlePage();
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    res.end(html);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/river`, close };
}

const takeSignups = (site: Site): URLSearchParams[] =>
  site.requests
    .splice(0)
    .filter(request => request.method === 'POST' && request.url === '/signup')
    .map(request => new URLSearchParams(request.body));

export async function startPages(): Promise<Pages> {
  const [site, article] = await Promise.all([startSite(), serveArticle()]);
  return {
    rows: count => `${site.url}/rows?n=${count}`,
    elements: count => `${site.url}/big?n=${count}`,
    signup: `${site.url}/signup.html`,
    article: article.url,
    takeSignups: () => takeSignups(site),
    async close() {
      await Promise.all([site.close(), article.close()]);
    },
  };
}
