// The document and the page, made with the first request for one of them: everybody may ask for them, as often as they like.
import type { RouteRequest } from '../http/route-group.ts';
import type { Listed } from '../listing/listing.ts';

export interface Rest {
  version: string;
  /** Those that are offered. */
  tools: readonly Listed[];
}

/** Stands for the address by which a visitor came. */
const SERVER = 'http://server.invalid';

export interface Reference {
  showDocument(visit: RouteRequest): Promise<void>;
  showPage(visit: RouteRequest): Promise<void>;
}

export function referenceOf(offered: Rest): Reference {
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
