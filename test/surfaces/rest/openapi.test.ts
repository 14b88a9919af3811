// The OpenAPI document and the reference page: valid, whole, and true to the table of tools.
import SwaggerParser from '@apidevtools/swagger-parser';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validate } from '../../../src/call/validate.ts';
import { CODES } from '../../../src/errors.ts';
import { LISTED } from '../../../src/surfaces/listing/listed.ts';
import type { Document } from '../../../src/surfaces/rest/openapi.ts';
import { describeTools, documentOf, operationsOf } from '../../../src/surfaces/rest/openapi.ts';
import { rest } from '../../../src/surfaces/rest/routes.ts';
import { TOOLS } from '../../../src/tools/index.ts';
import { ask } from '../http/ask.ts';
import { type Here, listenHere } from '../http/here.ts';

let here: Here;
let document: Document;
let page: Awaited<ReturnType<typeof ask>>;

beforeAll(async () => {
  here = await listenHere(undefined, {}, { routeGroups: [rest({ version: '1.2.3', tools: LISTED })] });
  // Both are for everybody: no token.
  document = JSON.parse((await ask(here.url.replace('/mcp', '/api/openapi.json'))).text);
  page = await ask(here.url.replace('/mcp', '/api/docs'));
});
afterAll(() => here.end());

const operation = (id: string) => operationsOf(document).find(row => row.operation.operationId === id);

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    // The parser resolves references in place.
    const copy = structuredClone(document);
    const api = await SwaggerParser.validate(copy as unknown as Parameters<typeof SwaggerParser.validate>[0]);
    expect(api.info).toMatchObject({ title: 'Tabwright', version: '1.2.3' });
    expect(document.openapi).toBe('3.1.0');
  });

  it('names the server by which it was reached', () => {
    expect(document.servers[0]?.url).toBe(new URL(here.url).origin);
  });

  it('has one operation for each tool, in its group', () => {
    const ids = operationsOf(document).map(({ operation: { operationId } }) => operationId);
    expect(ids).toEqual(['list_tools', 'list_sessions', ...LISTED.map(({ tool }) => tool.name)]);
    for (const { tool, group } of LISTED)
      expect(operation(tool.name)).toMatchObject({
        method: 'POST',
        path: `/api/v1/sessions/{session}/tools/${tool.name}`,
        operation: { tags: [group], summary: tool.description },
      });
  });

  it('has the schemas of MCP, without the session, which the path names', () => {
    for (const { tool } of LISTED) {
      const { session: _, ...properties } = (tool.inputSchema.properties ?? {}) as Record<string, unknown>;
      const body = operation(tool.name)?.operation.requestBody;
      if (Object.keys(properties).length === 0) expect(body).toBeUndefined();
      else expect(body?.content['application/json']?.schema).toEqual({ ...tool.inputSchema, properties });
    }
    expect(operation('session_close')?.operation.requestBody?.content['application/json']?.schema).not.toHaveProperty(
      'properties.session',
    );
  });

  it('says what JSON Schema does not', () => {
    expect(operation('click')?.operation.description).toBe('Give exactly one of `selector`, `coordinates`.');
    expect(operation('session_close')?.operation.description).toBeUndefined();
    expect(Object.keys(operation('screenshot')?.operation.responses[200] ?? {})).toContain('content');
  });

  it('has examples that the tools take', () => {
    const validator = new CfWorkerJsonSchemaValidator();
    for (const tool of TOOLS) {
      const body = operation(tool.name)?.operation.requestBody?.content['application/json'];
      if (!body) continue;
      const args = body.example as Record<string, unknown>;
      const about = 'session' in tool.input ? { session: 'default' } : {};
      expect(() => validate(tool, { ...about, ...args }), tool.name).not.toThrow();
      expect(validator.getValidator(body.schema)(args), tool.name).toMatchObject({ valid: true });
    }
  });

  it('has a response for the status of each failure', () => {
    const said = Object.values(document.components.responses).map(({ description }) => description);
    for (const [code, meaning] of Object.entries(CODES))
      expect(said.filter(words => words.includes(`\`${code}\`: ${meaning}`))).toHaveLength(1);
    expect(Object.keys(operation('click')?.operation.responses ?? {})).toEqual(
      expect.arrayContaining([
        '200',
        '400',
        '401',
        '403',
        '404',
        '409',
        '410',
        '413',
        '415',
        '422',
        '429',
        '500',
        '504',
      ]),
    );
  });

  it('has only the tools that are offered', () => {
    const some = LISTED.filter(({ group }) => group === 'navigation');
    const paths = Object.keys(documentOf({ version: '1', server: 'http://x' }, describeTools(some)).paths);
    expect(paths).toHaveLength(some.length + 1);
    expect(paths).not.toContain('/api/v1/sessions');
  });
});

describe('the page', () => {
  it('shows every tool and every code', () => {
    for (const { tool } of LISTED) expect(page.text).toContain(`<article id="${tool.name}">`);
    for (const code of Object.keys(CODES)) expect(page.text).toContain(`<code>${code}</code>`);
  });

  it('has links that lead somewhere', () => {
    const targets = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(LISTED.length);
    for (const id of targets) expect(page.text).toContain(`id="${id}"`);
  });

  it('runs nothing and loads nothing', () => {
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/,
    );
    expect(page.text).not.toMatch(/<script|<img|<iframe|src=|@import|url\(|\son\w+=/i);
    expect([...page.text.matchAll(/href="([^#"][^"]*)"/g)].map(([, href]) => href)).toEqual([
      'data:,',
      '/api/openapi.json',
    ]);
  });
});
