// Where the REST API is. What begins with a colon stands for one segment.

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
