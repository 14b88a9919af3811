// The parts of an OpenAPI document that ours has.
import type { JsonSchema } from '../listing/listing.ts';

export interface Document {
  openapi: '3.1.0';
  info: { title: string; version: string; summary: string; description: string };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description?: string }[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: {
    securitySchemes: Record<string, Readonly<Record<string, string>>>;
    parameters: Record<string, object>;
    responses: Record<string, Answer>;
    schemas: Record<string, JsonSchema>;
  };
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** Changes nothing on the page. */
  'x-read-only'?: true;
  parameters?: Reference[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Answer | Reference>;
}

export interface Reference {
  $ref: string;
}

export interface Answer {
  description: string;
  content: Content;
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
