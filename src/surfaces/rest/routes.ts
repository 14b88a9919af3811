// The REST API: every tool at a path of its own, what there is to call, and how, in a document and on a page.
import type { Route, RouteGroup, RouteRequest } from '../http/route-group.ts';
import type { Listed } from '../listing/listing.ts';
import { PATHS, refusalForm, toolPath } from './contract.ts';
import { answer, callTool, OWN } from './tool-route.ts';

export const rest = (offered: Rest): RouteGroup => ({
  under: ['/api'],
  routes: () => routesOf(offered),
  refusal: refusalForm,
  help: `A tool is called with POST ${toolPath(OWN, 'NAME')}. All about it: ${PATHS.page}, ${PATHS.document}.`,
});

/**
 * The document and the page are open: they show what the program can do, as its public docs do, and nothing about
 * this server's callers, sessions or rules. A link in a browser and most generators of clients carry no token.
 */
function routesOf(offered: Rest): Route[] {
  const { showDocument, showPage } = referenceOf(offered);
  return [
    { method: 'POST', path: PATHS.tool, serve: visit => callTool(visit, offered.tools) },
    { method: 'GET', path: PATHS.sessions, serve: listSessions },
    { method: 'GET', path: PATHS.tools, serve: visit => listTools(visit, offered) },
    { method: 'GET', path: PATHS.document, open: true, serve: showDocument },
    { method: 'GET', path: PATHS.page, open: true, serve: showPage },
  ];
}

const listSessions = async (visit: RouteRequest): Promise<void> =>
  answer(visit, await visit.run({ name: 'session_list', args: {} }));

/** A caller is shown only what it may use. */
async function listTools({ caller: { may }, json }: RouteRequest, { tools }: Rest): Promise<void> {
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
}

/** Stands for the address by which a visitor came. */
const SERVER = 'http://server.invalid';

interface Reference {
  showDocument(visit: RouteRequest): Promise<void>;
  showPage(visit: RouteRequest): Promise<void>;
}

function referenceOf(offered: Rest): Reference {
  let making: ReturnType<typeof make> | undefined;
  const made = () => {
    making ??= make(offered);
    return making;
  };
  return {
    async showDocument(visit) {
      visit.send(200, forVisitor((await made()).json, visit), { 'content-type': 'application/json' });
    },
    async showPage(visit) {
      const { html, policy } = await made();
      visit.send(200, forVisitor(html, visit), {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      });
    },
  };
}

async function make(offered: Rest) {
  const [{ documentOf }, { pageOf }] = await Promise.all([import('./openapi.ts'), import('./page.ts')]);
  const document = documentOf({ ...offered, server: SERVER });
  return { json: `${JSON.stringify(document)}\n`, ...pageOf(document) };
}

/** The guard has looked at the Host: there is nothing in it that JSON or HTML would have to escape. */
const forVisitor = (text: string, { req }: RouteRequest): string =>
  text.replaceAll(SERVER, `http://${req.headers.host}`);
