// The operations of the OpenAPI document: one for each tool, and those that list what there is.
import { exampleArguments } from '../cli/call/example.ts';
import type { JsonSchema, Listed } from '../listing/listing.ts';
import { propertiesOf, requiredOf } from '../listing/parameters.ts';
import { failures } from './components.ts';
import type { Answer, Operation } from './openapi-types.ts';

/** Statuses of what only reads a list. */
const OF_LISTS = [401, 403, 429, 500, 503];

/** Answers as they come, for tools that are often the first. */
const ANSWERS: Readonly<Record<string, object>> = {
  navigate: {
    success: true,
    data: { url: 'https://example.com/', title: 'Example Domain', tabId: 1, status: 200, reason: 'OK' },
    text: 'Opened https://example.com/ "Example Domain".',
    session: 'default',
    ms: 412,
  },
  title: {
    success: true,
    data: { title: 'Example Domain' },
    text: 'Example Domain',
    session: 'default',
    ms: 3,
  },
};

/** Tools whose answer may be a picture, and the types that it may have. */
const PICTURES: Readonly<Record<string, readonly string[]>> = { screenshot: ['image/png', 'image/jpeg', 'image/webp'] };

export function toolOperation(listed: Listed): Operation {
  const { group, tool } = listed;
  const { name, description, annotations } = tool;
  const schema = bodySchema(tool.inputSchema);
  const about = rulesOf(listed);
  return {
    operationId: name,
    tags: [group],
    summary: description,
    ...(about && { description: about }),
    ...(annotations?.readOnlyHint && { 'x-read-only': true }),
    parameters: [{ $ref: '#/components/parameters/Session' }],
    ...(Object.keys(propertiesOf(schema)).length > 0 && {
      requestBody: {
        required: requiredOf(schema).length > 0,
        content: { 'application/json': { schema, example: exampleBody(listed) } },
      },
    }),
    responses: { 200: successOf(name), ...failures() },
  };
}

/** The session stands in the path. */
function bodySchema({ properties, ...rest }: JsonSchema): JsonSchema {
  const { session: _, ...others } = (properties ?? {}) as Record<string, JsonSchema>;
  return { ...rest, properties: others };
}

function exampleBody(listed: Listed): object {
  const { session: _, ...args } = exampleArguments(listed);
  return args;
}

/** What JSON Schema would say at too great a length. */
function rulesOf({ tool, oneOf = [] }: Listed): string {
  const choices = oneOf.map(names => names.filter(name => name !== 'session')).filter(names => names.length > 1);
  return [
    ...choices.map(names => `Give exactly one of ${names.map(name => `\`${name}\``).join(', ')}.`),
    ...(tool.name in PICTURES ? ['With `Accept: image/*` the answer is the picture itself.'] : []),
  ].join(' ');
}

function successOf(name: string): Answer {
  const example = ANSWERS[name];
  const pictures = (PICTURES[name] ?? []).map(type => [type, { schema: { type: 'string', format: 'binary' } }]);
  return {
    description: 'It was done.',
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Success' }, ...(example && { example }) },
      ...Object.fromEntries(pictures),
    },
  };
}

export const toolsOperation = (): Operation => ({
  operationId: 'list_tools',
  tags: ['lists'],
  summary: 'The tools that the caller may use, with the JSON Schema of their arguments.',
  'x-read-only': true,
  responses: { 200: listOf('tools', 'Tool'), ...failures(OF_LISTS) },
});

export const sessionsOperation = (): Operation => ({
  operationId: 'list_sessions',
  tags: ['lists'],
  summary: 'The sessions of the caller and those that are shared, with their tabs.',
  'x-read-only': true,
  responses: { 200: listOf('sessions', 'Session'), ...failures(OF_LISTS) },
});

function listOf(name: string, schema: string): Answer {
  const list = { type: 'array', items: { $ref: `#/components/schemas/${schema}` } };
  const data = { type: 'object', properties: { [name]: list }, required: [name] };
  const properties = { success: { type: 'boolean', enum: [true] }, data };
  return {
    description: 'The list.',
    content: { 'application/json': { schema: { type: 'object', properties, required: ['success', 'data'] } } },
  };
}
