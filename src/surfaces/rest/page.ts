// The reference page: the OpenAPI document for people. Plain HTML, without scripts and without anything from outside.
import { createHash } from 'node:crypto';
import { type Parameter, parametersOf } from '../listing/parameters.ts';
import { operationsOf } from './openapi.ts';
import type { Document, Operation } from './openapi-types.ts';
import { STYLE } from './page-style.ts';
import { PATHS } from './paths.ts';
import { OWN } from './tool-route.ts';

interface Row {
  method: string;
  path: string;
  operation: Operation;
}

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
${code('{ "success": false, "error": "…", "code": "stale_ref", "hint": "…" }')}
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
${body ? parameterTable(parametersOf(body.schema, text => `\`${text}\``)) : ''}
<details><summary>Example</summary>${code(curl({ method, path, operation }, document, body?.example))}</details>
</article>`;
}

function curl({ method, path, operation }: Row, { servers }: Document, example: unknown): string {
  const url = `${servers[0]?.url}${path.replace('{session}', OWN)}`;
  const body = operation.requestBody
    ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(example)}'`
    : '';
  return `curl ${method === 'GET' ? '' : `-X ${method} `}-H "X-API-Key: $TOKEN" ${url}${body}`;
}

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['argument', 'type', 'default', 'meaning'],
    parameters.map(({ name, required, type, default: usual, meaning }) => [
      `<code>${escaped(name)}</code>${required ? ' <span class="must">required</span>' : ''}`,
      inline(type),
      usual === undefined ? '' : `<code>${escaped(usual)}</code>`,
      inline(meaning),
    ]),
  );

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
