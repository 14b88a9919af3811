// The reference page: the OpenAPI document for people. Plain HTML, without scripts and without anything from outside.
import { createHash } from 'node:crypto';
import type { JsonSchema } from '../listing/listing.ts';
import { type Parameter, parametersOf } from '../listing/parameters.ts';
import { PATHS } from './contract.ts';
import { type Document, operationsOf } from './openapi.ts';
import { OWN } from './tool-route.ts';

type Row = ReturnType<typeof operationsOf>[number];

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --card: #fff; --ink: #1d2126; --soft: #5c6570; --line: #e3e5e8; --code: #f1f3f5;
  --accent: #0b63ce; --post: #16703c; --get: #0b63ce; --chip: #eef4ec; --chip-ink: #2d5a27;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1b1f23; --ink: #e4e7ea; --soft: #9aa4ae; --line: #2d3339; --code: #23282d;
    --accent: #74b0ff; --post: #6fce92; --get: #74b0ff; --chip: #22301f; --chip-ink: #a9d3a0;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 0.875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 8px; padding: 0.8rem 1rem; margin: 0.8rem 0 0; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; font-size: 1em; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 76rem; margin: 0 auto; }
nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 1rem; font-size: 0.9rem; }
nav strong { display: block; margin: 1rem 0 0.2rem; font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); }
nav a { display: block; padding: 0.1rem 0.5rem; border-radius: 6px; color: var(--ink); }
nav a:hover { background: var(--code); text-decoration: none; }
header, main { grid-column: 2; padding: 0 1.5rem; min-width: 0; }
header { padding-top: 2rem; }
header p { max-width: 46rem; }
main { padding-bottom: 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.3rem; letter-spacing: -0.02em; }
h1 small { font-size: 0.95rem; font-weight: 400; color: var(--soft); letter-spacing: 0; margin-left: 0.4rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 1rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h2::first-letter { text-transform: uppercase; }
h3 { font: 600 1.05rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; margin: 0; }
h3 a { color: inherit; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem; margin: 0 0 1rem; }
article:target { border-color: var(--accent); }
article p { margin: 0.35rem 0; }
.where { font-size: 0.85rem; color: var(--soft); }
.method { font-weight: 700; color: var(--post); }
.method.get { color: var(--get); }
.chip { float: right; background: var(--chip); color: var(--chip-ink); border-radius: 99px; padding: 0.05rem 0.6rem; font-size: 0.75rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; margin-top: 0.7rem; }
th { text-align: left; color: var(--soft); font-weight: 600; font-size: 0.8rem; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; border-top: 1px solid var(--line); vertical-align: top; }
tr:first-child th { border-top: 0; }
td:first-child code { white-space: nowrap; }
.must { color: var(--accent); font-size: 0.75rem; white-space: nowrap; }
summary { cursor: pointer; color: var(--soft); font-size: 0.85rem; margin-top: 0.7rem; }
@media (max-width: 50rem) {
  .page { display: block; }
  nav { position: static; max-height: none; padding: 0 1rem; }
  nav a { display: inline-block; padding: 0.15rem 0.35rem; }
  header, main { padding: 0 1rem; }
  header { padding-top: 1.2rem; }
  article { padding: 0.9rem 1rem; }
}
@media print { nav, summary { display: none; } .page { display: block; } }
`;

/** Nothing may run or be loaded: only this very style, and the empty picture that stands for an icon. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function pageOf(document: Document): { html: string; policy: string } {
  const groups = groupsOf(document);
  const { title, version, description } = document.info;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} REST API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<header>
<h1>${escaped(title)} REST API<small>${escaped(version)}</small></h1>
${prose(description)}
<p>For programs: <a href="${PATHS.document}">the OpenAPI 3.1 document</a>, out of which clients can be generated.</p>
</header>
<nav aria-label="Operations">${navigation(groups)}</nav>
<main>
<h2 id="token">The token</h2>
<p>Send it as <code>Authorization: Bearer TOKEN</code> or <code>X-API-Key: TOKEN</code>; <code>tabwright serve</code> prints which file holds it.</p>
${code('TOKEN=$(cat ~/.local/state/tabwright/token)')}
${groups.map(group => section(group, document)).join('\n')}
<h2 id="errors">Errors</h2>
<p>The code is stable, and the hint says what to try next.</p>
${code(JSON.stringify(document.components.schemas.Failure?.example))}
${failureTable(document)}
</main>
</div>
</body>
</html>
`;
  return { html, policy: POLICY };
}

interface Group {
  name: string;
  rows: Row[];
}

function groupsOf(document: Document): Group[] {
  const rows = operationsOf(document);
  return document.tags.map(({ name }) => ({
    name,
    rows: rows.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

const navigation = (groups: readonly Group[]): string =>
  [
    '<strong>Start</strong><a href="#token">token</a><a href="#errors">errors</a>',
    ...groups.map(({ name, rows }) => {
      const links = rows.map(({ operation: { operationId: id } }) => `<a href="#${id}">${id}</a>`);
      return `<strong>${escaped(name)}</strong>${links.join('\n')}`;
    }),
  ].join('\n');

const section = ({ name, rows }: Group, document: Document): string =>
  `<h2 id="group-${name}">${escaped(name)}</h2>\n${rows.map(row => article(row, document)).join('\n')}`;

function article({ method, path, operation }: Row, document: Document): string {
  const { operationId: id, summary, description = '', requestBody } = operation;
  const body = requestBody?.content['application/json'];
  return `<article id="${id}">
${operation['x-read-only'] ? '<span class="chip">only reads</span>' : ''}<h3><a href="#${id}">${id}</a></h3>
<p>${inline(summary)} ${inline(description)}</p>
<p class="where"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path)}</code></p>
${parameterTable(parametersOf(body?.schema ?? querySchema(operation), text => `\`${text}\``))}
<details><summary>Example</summary>${code(curl(method, path, document, body?.example))}</details>
</article>`;
}

/** The arguments of an operation without a body. */
function querySchema({ parameters = [] }: Row['operation']): JsonSchema {
  const query = parameters.filter(row => 'in' in row).filter(row => row.in === 'query');
  return {
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

function curl(method: string, path: string, { servers }: Document, example: unknown): string {
  const filled = path.replace('{session}', OWN).replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const url = `${servers[0]?.url}${filled}`;
  const body = example ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(example)}'` : '';
  return `curl ${method === 'GET' ? '' : `-X ${method} `}-H "X-API-Key: $TOKEN" ${url}${body}`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, required, type, default: usual, meaning }) => [
    `<code>${escaped(name)}</code>${required ? ' <span class="must">required</span>' : ''}`,
    inline(type),
    usual === undefined ? '' : `<code>${escaped(usual)}</code>`,
    inline(meaning),
  ]);
  return rows.length > 0 ? table(['argument', 'type', 'default', 'meaning'], rows) : '';
}

/** By status, each with the codes that have it. */
function failureTable(document: Document): string {
  const used = operationsOf(document).flatMap(({ operation }) => Object.entries(operation.responses));
  const statuses = new Map(used.flatMap(([status, its]) => ('$ref' in its ? [[status, its.$ref] as const] : [])));
  const rows = [...statuses]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([status, ref]) => [
      status,
      inline(document.components.responses[ref.split('/').at(-1) ?? '']?.description ?? ''),
    ]);
  return table(['status', 'codes'], rows);
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = (row: readonly string[], tag: string) => row.map(cell => `<${tag}>${cell}</${tag}>`).join('');
  const lines = [cells(head, 'th'), ...rows.map(row => cells(row, 'td'))];
  return `<div class="table"><table>${lines.map(line => `<tr>${line}</tr>`).join('\n')}</table></div>`;
};

const code = (text: string): string => `<pre><code>${escaped(text)}</code></pre>`;

const prose = (text: string): string =>
  text
    .split('\n\n')
    .map(paragraph => `<p>${inline(paragraph)}</p>`)
    .join('\n');

/** Text with code between backticks. */
const inline = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign);
