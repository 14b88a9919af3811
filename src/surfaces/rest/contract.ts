// The HTTP status of every failure, and the body that says what went wrong.
import type { Code } from '../../errors.ts';
import type { HttpRefusal, HttpRule } from '../http/refuse.ts';
import { type StructuredResult, structuredForm } from '../listing/structured.ts';

/** One place for all codes. 404: not there. 409: not now. 410: not any more. 422: it was tried. 502 to 504: the page or the browser. */
export const STATUS = {
  bad_input: 400,
  unknown_tool: 404,
  refused: 403,
  not_approved: 403,
  paused_by_person: 409,
  rate_limited: 429,
  no_session: 404,
  no_profile: 404,
  profile_running: 409,
  profile_taken: 409,
  browser_not_running: 409,
  not_found: 404,
  ambiguous: 409,
  stale_ref: 410,
  changed_ref: 409,
  not_actionable: 409,
  not_taken: 422,
  dialog_open: 409,
  no_dialog: 409,
  no_tab: 404,
  no_frame: 404,
  navigation_failed: 502,
  no_history: 409,
  request_failed: 502,
  script_error: 422,
  page_unresponsive: 504,
  page_crashed: 502,
  browser_gone: 502,
  browser_missing: 503,
  server_gone: 502,
  timeout: 504,
  cancelled: 503,
  file_error: 422,
  listen_failed: 500,
  internal: 500,
} as const satisfies Record<Code, number>;

/** What keeps a request from becoming a call, in the codes of failures. */
const CODE_OF_RULE = {
  message: 'bad_input',
  token: 'refused',
  host: 'refused',
  origin: 'refused',
  rights: 'refused',
  path: 'not_found',
  dialect: 'not_found',
  session: 'no_session',
  method: 'bad_input',
  slow: 'timeout',
  size: 'bad_input',
  type: 'bad_input',
  caller_calls: 'rate_limited',
  caller_sessions: 'rate_limited',
  headers: 'bad_input',
  fault: 'internal',
  calls: 'rate_limited',
  sessions: 'rate_limited',
  connections: 'rate_limited',
  ending: 'cancelled',
} as const satisfies Record<HttpRule, Code>;

/** The rule distinguishes refusals that have the same status. */
export const refusalForm = ({ rule, message }: HttpRefusal): StructuredResult & { rule: HttpRule } => ({
  ...structuredForm({ failure: { code: CODE_OF_RULE[rule], message } }),
  rule,
});

export const PATHS = {
  tool: '/api/v1/sessions/:session/tools/:tool',
  sessions: '/api/v1/sessions',
  tools: '/api/v1/tools',
  document: '/api/openapi.json',
  page: '/api/docs',
} as const;

/** The path of one tool, as a person or a document writes it. */
export const toolPath = (session: string, tool: string): string =>
  PATHS.tool.replace(':session', session).replace(':tool', tool);
