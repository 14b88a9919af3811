// The REST API: every tool at a path of its own, what there is to call, and how, in a document and on a page.
import type { HttpRequest, Route, RouteGroup } from '../http/routes.ts';
import type { Listed } from '../listing/listing.ts';
import { PATHS, refusalForm, toolPath } from './contract.ts';
import type { ApiDescription } from './openapi.ts';
import { answer, callTool, OWN } from './tool-route.ts';

export const rest = (api: Rest): RouteGroup => ({
  under: ['/api'],
  routes: () => routesOf(api),
  refusal: refusalForm,
  help: `A tool is called with POST ${toolPath(OWN, 'NAME')}. All about it: ${PATHS.page}, ${PATHS.document}.`,
});

/**
 * The document and the page are open: they show what the program can do, as its public docs do, and nothing about
 * this server's callers, sessions or rules. A link in a browser and most generators of clients carry no token.
 */
function routesOf(api: Rest): Route[] {
  let made: ReturnType<typeof referenceOf> | undefined;
  const show = async (part: 'document' | 'page', { req, send }: HttpRequest): Promise<void> => {
    made ??= referenceOf(api);
    const { text, headers } = (await made)[part];
    // The Host was checked: there is nothing in it that JSON or HTML would have to escape.
    send(200, text.replaceAll(SERVER, `http://${req.headers.host}`), headers);
  };
  return [
    { method: 'POST', path: PATHS.tool, serve: request => callTool(request, api.tools) },
    { method: 'GET', path: PATHS.sessions, serve: listSessions },
    { method: 'GET', path: PATHS.tools, serve: request => listTools(request, api) },
    { method: 'GET', path: PATHS.document, open: true, serve: request => show('document', request) },
    { method: 'GET', path: PATHS.page, open: true, serve: request => show('page', request) },
  ];
}

const listSessions = async (request: HttpRequest): Promise<void> =>
  answer(request, await request.run({ name: 'session_list', args: {} }));

/** A caller is shown only what it may use. */
async function listTools({ caller: { may }, json }: HttpRequest, { tools }: Rest): Promise<void> {
  const mayUse = may && (await import('../listing/permitted.ts')).mayUse;
  const rows = tools
    .filter(({ tool }) => !mayUse || mayUse(may, tool.name))
    .map(({ group, tool: { name, description, inputSchema, annotations } }) => ({
      name,
      group,
      summary: description,
      reads: annotations?.readOnlyHint === true,
      input: inputSchema,
    }));
  json(200, { success: true, data: { tools: rows } });
}

export interface Rest {
  version: string;
  /** Those that are offered. */
  tools: readonly Listed[];
  /** The API that the document and the page describe; ours when left out. */
  described?(): Promise<ApiDescription>;
}

/** Stands for the address by which a client came. */
const SERVER = 'http://server.invalid';

/** The document and the page, made with the first request for one of them. */
async function referenceOf(api: Rest) {
  const [{ describeTools, documentOf }, { pageOf }] = await Promise.all([import('./openapi.ts'), import('./page.ts')]);
  const described = (await api.described?.()) ?? describeTools(api.tools);
  const document = documentOf({ version: api.version, server: SERVER }, described);
  const { html, policy } = pageOf(document);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
  };
  return {
    document: { text: `${JSON.stringify(document)}\n`, headers: { 'content-type': 'application/json' } },
    page: { text: html, headers },
  };
}
