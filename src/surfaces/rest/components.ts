// What the operations of the OpenAPI document share: the forms of answers, and one response for each status of a failure.
import { STATUS_CODES } from 'node:http';
import { CODES, type Code } from '../../errors.ts';
import { type HttpRule, RULES } from '../http/refuse.ts';
import type { JsonSchema } from '../listing/listing.ts';
import { STATUS } from './contract.ts';
import type { Reference, ResponseSchema } from './openapi.ts';

export const SCHEMAS: Record<string, JsonSchema> = {
  Success: {
    type: 'object',
    properties: {
      success: { type: 'boolean', enum: [true] },
      data: { description: 'The facts; they differ from tool to tool.' },
      text: { type: 'string', description: 'What a model reads.' },
      session: { type: 'string', description: 'The session that was used, by its name.' },
      ms: { type: 'integer', description: 'How long it took.' },
      pictures: { type: 'array', items: { $ref: '#/components/schemas/Picture' } },
    },
    required: ['success', 'data', 'text', 'ms'],
  },
  Picture: {
    type: 'object',
    properties: { mimeType: { type: 'string' }, base64: { type: 'string', contentEncoding: 'base64' } },
    required: ['mimeType', 'base64'],
  },
  Failure: {
    type: 'object',
    properties: {
      success: { type: 'boolean', enum: [false] },
      error: { type: 'string', description: 'What happened, and why.' },
      code: { type: 'string', enum: Object.keys(CODES), description: 'Stable; the words may improve.' },
      hint: { type: 'string', description: 'What to try next.' },
      rule: { type: 'string', description: 'The rule that refused, if one did.' },
      text: { type: 'string', description: 'What a model reads, when that is more than the error and the hint.' },
    },
    required: ['success', 'error', 'code'],
  },
  Tool: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      group: { type: 'string' },
      summary: { type: 'string' },
      reads: { type: 'boolean', description: 'It changes nothing.' },
      input: { type: 'object', description: 'JSON Schema of its arguments.' },
    },
    required: ['name', 'group', 'summary', 'reads', 'input'],
  },
  Session: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      own: { type: 'boolean' },
      shared: { type: 'boolean' },
      open: { type: 'boolean', description: 'Otherwise it is kept, and opened when it is next used.' },
      createdAt: { type: 'string', format: 'date-time' },
      lastActivity: { type: 'string', format: 'date-time' },
      idleEnd: { type: 'string', format: 'date-time', description: 'When it ends, should no call come.' },
      tabs: { type: 'array', items: { $ref: '#/components/schemas/Tab' } },
    },
    required: ['name', 'own', 'shared', 'open', 'createdAt', 'lastActivity', 'tabs'],
  },
  Tab: {
    type: 'object',
    properties: {
      tabId: { type: 'integer' },
      url: { type: 'string' },
      title: { type: 'string' },
      active: { type: 'boolean' },
    },
    required: ['tabId', 'url', 'title', 'active'],
  },
};

/** What the door itself refuses, where no code of a failure says it. */
const AT_DOOR: Partial<Record<HttpRule, string>> = {
  token: 'The token is missing or not valid.',
  size: 'The body is too large.',
  type: 'The body is not JSON.',
};

function statusesOf(): number[] {
  const atDoor = Object.keys(AT_DOOR).map(rule => RULES[rule as HttpRule]);
  return [...new Set([...Object.values(STATUS), ...atDoor])].sort((a, b) => a - b);
}

const nameOf = (status: number): string => (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^A-Za-z]/g, '');

const answerOf = (status: number): ResponseSchema => ({
  description: [
    ...Object.entries(AT_DOOR).flatMap(([rule, words]) => (RULES[rule as HttpRule] === status ? [words] : [])),
    ...Object.entries(STATUS).flatMap(([code, its]) => (its === status ? [`\`${code}\`: ${CODES[code as Code]}`] : [])),
  ].join(' '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
});

export const RESPONSES: Record<string, ResponseSchema> = Object.fromEntries(
  statusesOf().map(status => [nameOf(status), answerOf(status)]),
);

/** The responses of failures by status: all, or those named. */
export const failures = (statuses: readonly number[] = statusesOf()): Record<string, Reference> =>
  Object.fromEntries(statuses.map(status => [status, { $ref: `#/components/responses/${nameOf(status)}` }]));
