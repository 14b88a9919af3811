// What the tools, resources and prompts of the conformance suite answer: texts and bytes that the suite asks for by name.
import type { ContentBlock } from '@modelcontextprotocol/server';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const says = (text: string): ContentBlock => ({ type: 'text', text });
export const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const AUDIO: ContentBlock = { type: 'audio', data: WAV, mimeType: 'audio/wav' };

const embedded = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

/** Tools without arguments that always answer the same. */
export const FIXED: Readonly<Record<string, ContentBlock[]>> = {
  test_simple_text: [says('This is a simple text response for testing.')],
  test_image_content: [IMAGE],
  test_audio_content: [AUDIO],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    says('Multiple content types test:'),
    IMAGE,
    embedded('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
  ],
};

export const STATIC_TEXT = {
  uri: 'test://static-text',
  mimeType: 'text/plain',
  text: 'This is the content of the static text resource.',
};
export const STATIC_BINARY = { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG };
export const WATCHED = { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched.' };

export const dataOf = (id: string) => ({
  uri: `test://template/${id}/data`,
  mimeType: 'application/json',
  text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

export const embeddedBy = (resourceUri: string): ContentBlock =>
  embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.');
