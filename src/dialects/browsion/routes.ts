// Where the HTTP API serves each tool of the dialect browsion: the routes of tools.json in full.
import type { Schema, Sources } from '../definition.ts';
import LIST from './tools.json' with { type: 'json' };

export interface ApiRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parts such as :profile_id are arguments; the others stand in the query of a GET, else in the body. */
  path: string;
  /** Arguments that are written in another way here. */
  args?: Sources;
  /** Those arguments, for the OpenAPI document. */
  listed?: Readonly<Record<string, Schema>>;
}

export interface ApiTool {
  category: string;
  /** In every spelling; the bridge uses the first. */
  routes: readonly [ApiRoute, ...ApiRoute[]];
  /** The status of an answer that went well; 200 when left out. */
  status?: number;
  /** The member of the answer that holds its picture, as base64. */
  picture?: string;
  unlisted?: boolean;
}

type ListedApiTool = Omit<ApiTool, 'routes'> & { routes: readonly string[] };

const ROUTE_ARGUMENTS: Readonly<Record<string, Pick<ApiRoute, 'args' | 'listed'>>> = {
  'POST dialog': {
    args: {
      action: ['action', { from: 'accept', values: { true: 'accept', false: 'dismiss' } }],
      prompt_text: 'prompt_text',
    },
    listed: { accept: { type: 'boolean' }, prompt_text: { type: 'string' } },
  },
};

/** `POST click` is POST /api/browser/:profile_id/click; a path that begins with a slash is below /api. */
function routeOf(text: string): ApiRoute {
  const [method, path = ''] = text.split(' ');
  return {
    method: method as ApiRoute['method'],
    path: `/api${path.startsWith('/') ? path : `/browser/:profile_id/${path}`}`,
    ...ROUTE_ARGUMENTS[text],
  };
}

export const API: Readonly<Record<string, ApiTool>> = Object.fromEntries(
  Object.entries<ListedApiTool>(LIST.tools).map(
    ([
      name,
      {
        routes: [first = '', ...others],
        ...tool
      },
    ]) => [name, { ...tool, routes: [routeOf(first), ...others.map(routeOf)] }],
  ),
);

/** In the order of the tools. */
export const CATEGORIES: readonly string[] = [...new Set(Object.values(API).map(({ category }) => category))];
