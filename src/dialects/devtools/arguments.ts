// Kinds of arguments that the tools of chrome-devtools-mcp share, as JSON Schema, and how they are read.
import type { ReadContext, Schema, Source } from '../definition.ts';
import { refOfUid, tabOfPage } from './last-shown.ts';

export const text = (description: string): Schema => ({ type: 'string', description });
export const number = (description: string): Schema => ({ type: 'number', description });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const choice = (values: readonly string[], description: string): Schema => ({
  type: 'string',
  enum: values,
  description,
});
export const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const uid = text('The uid of an element, from the latest snapshot');
export const timeout: Schema = { type: 'integer', description: 'Most time, in ms; 0 for the usual time' };
export const pageIdx = number('The number of a page in the list of pages');

/** An element of the latest snapshot, and the tab that it showed. */
export const element = (from: string): Source => ({ from, as: refOfUid });
export const onPage = { tabId: { value: ({ shown }: ReadContext) => shown.snapshot?.tab } } satisfies Record<
  string,
  Source
>;
export const time: Source = {
  from: 'timeout',
  as: ms => (typeof ms === 'number' && ms <= 0 ? undefined : ms),
};
export const page: Source = { from: 'pageIdx', as: tabOfPage };
