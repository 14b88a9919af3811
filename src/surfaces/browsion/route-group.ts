// The HTTP API of the dialect browsion, mounted on the front of serve.
import type { RouteGroup } from '../http/route-group.ts';
import { refusalBody } from './bodies.ts';

export const browsion = (): RouteGroup => ({
  under: ['/api/health', '/api/profiles', '/api/launch', '/api/kill', '/api/running', '/api/browser', '/api/wait'],
  // The rows know all tools: they are loaded with the first request.
  routes: async () => (await import('./routes.ts')).ROUTES,
  refusal: refusalBody,
  help: 'Such as GET /api/profiles, POST /api/launch/ID, POST /api/browser/ID/navigate; docs/browsion.md lists all.',
});
