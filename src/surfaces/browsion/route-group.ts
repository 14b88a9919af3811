// The HTTP API of the dialect browsion within `tabwright serve`: its paths, its refusals, and whether it is enabled.
import type { Loaded } from '../../config/load.ts';
import { envOf, flagOf } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import type { HttpRule } from '../http/refuse.ts';
import type { RouteGroup } from '../http/routes.ts';

/** `error` of a refusal, where the name of the rule would say little. */
const ERRORS: Partial<Record<HttpRule, string>> = {
  token: 'unauthorized',
  path: 'not_found',
  method: 'method_not_allowed',
  message: 'bad_request',
  type: 'unsupported_media_type',
  size: 'payload_too_large',
  host: 'forbidden',
  origin: 'forbidden',
  fault: 'internal',
};

export const browsion: RouteGroup = {
  under: ['/api/health', '/api/profiles', '/api/launch', '/api/kill', '/api/running', '/api/browser', '/api/wait'],
  // The routes import all tools: they are loaded with the first request.
  routes: async () => (await import('./routes.ts')).ROUTES,
  refusal: ({ rule, message }) => ({ error: ERRORS[rule] ?? rule, message, code: rule }),
  help: 'Such as GET /api/profiles, POST /api/launch/ID, POST /api/browser/ID/navigate; docs/browsion.md lists all.',
};

type LoadedOptions = Pick<Loaded, 'options' | 'origins'>;

const DEFAULT_PORT = 38_472;

/** Port 0 in Browsion's own config disables the API; as a flag or variable of Tabwright it means any free port. */
const isDisabled = ({ options, origins }: LoadedOptions): boolean =>
  options.port === 0 && ![flagOf('port'), envOf('port')].includes(origins.port);

const disabledBy = ({ origins }: LoadedOptions): string => `The HTTP API is disabled by ${origins.port}.`;

export function howToStart(loaded: LoadedOptions): string {
  const { port } = loaded.options;
  if (isDisabled(loaded)) return `${disabledBy(loaded)} Change that, then start it: tabwright serve --dialect browsion`;
  return `Start it: tabwright serve --dialect browsion${port === DEFAULT_PORT ? '' : ` --port ${port}`}`;
}

/** A Failure before a server listens whose API is disabled. */
export function checkEnabled(loaded: LoadedOptions): void {
  if (!isDisabled(loaded)) return;
  throw new Failure('refused', disabledBy(loaded), `Change that, or give --port ${DEFAULT_PORT}.`);
}
