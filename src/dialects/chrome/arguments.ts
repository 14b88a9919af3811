// Kinds of arguments that the old tools share, as JSON Schema, and how their elements and modifiers are read.
import { isObject } from '../decode.ts';
import type { Schema, Source } from '../definition.ts';

export const text = (description?: string): Schema => ({ type: 'string', ...(description && { description }) });
export const number = (usual?: number, description?: string): Schema => ({
  type: 'number',
  ...(usual !== undefined && { default: usual }),
  ...(description && { description }),
});
export const flag = (usual?: boolean, description?: string): Schema => ({
  type: 'boolean',
  ...(usual !== undefined && { default: usual }),
  ...(description && { description }),
});
export const choice = (values: readonly string[], usual?: string): Schema => ({
  type: 'string',
  enum: values,
  ...(usual !== undefined && { default: usual }),
});
export const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description && { description }),
});
export const object = (properties: Readonly<Record<string, Schema>>, required?: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required && { required }),
});

export const point = object({ x: number(), y: number() }, ['x', 'y']);
export const modifiers = object({ altKey: flag(), ctrlKey: flag(), metaKey: flag(), shiftKey: flag() });
export const anyValue: Schema = { type: ['string', 'number', 'boolean'] };
export const ref = text('Such as ref_12');

export const tab = { tabId: number() };
export const place = { ...tab, windowId: number(undefined, 'Its last tab, without tabId') };
export const where = { ...place, frameId: number() };

/** Ours by the same names. */
export const onTab: Readonly<Record<string, Source>> = { tabId: 'tabId' };
export const onPlace: Readonly<Record<string, Source>> = { tabId: 'tabId', windowId: 'windowId' };
export const onFrame: Readonly<Record<string, Source>> = { ...onPlace, frameId: 'frameId' };

export const selectorKind = { selector: text('CSS or XPath'), selectorType: choice(['css', 'xpath'], 'css') };
export const selected: Source = [
  { from: 'selector', when: { selectorType: 'xpath' }, as: selector => `xpath=${selector}` },
  'selector',
];

const KEYS = { altKey: 'Alt', ctrlKey: 'Control', metaKey: 'Meta', shiftKey: 'Shift' };
export const pressed: Source = {
  from: 'modifiers',
  as: held =>
    isObject(held) ? Object.entries(KEYS).flatMap(([flag, key]) => (held[flag] === true ? [key] : [])) : held,
};

/** A number times another one. */
export const scaled = (from: string, by: number): Source => ({
  from,
  as: value => (typeof value === 'number' ? value * by : value),
});

export const NO_FOCUS = 'no window of a person is taken to the front';
