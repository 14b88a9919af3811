// Native data in the form of the answers of the dialect browsion, which are JSON.
import { at } from '../decode.ts';
import type { ToolMapping } from '../definition.ts';
import type { Args } from '../dialect.ts';

/**
 * The form of an answer: a text is a member of the native data by its path (of the native input as `input.url`), an object
 * has members of its own, a list is made item by item, and what no path can say is a function.
 */
export type Template =
  | string
  | true
  | ((facts: Args) => unknown)
  | { readonly each: string; readonly item: Template }
  | { readonly [member: string]: Template };

/** A tool of the dialect: how it is done, and the form of its answer. */
export type BrowsionMapping = ToolMapping & { template: Template };

/** What a template makes of the facts; a member without a value is left out. */
export function fillTemplate(template: Template, facts: Args): unknown {
  if (typeof template === 'function') return template(facts);
  if (typeof template === 'string') return at(facts, template);
  if (typeof template !== 'object') return template;
  if (isList(template)) return listOf(at(facts, template.each), template.item);
  const members = Object.entries(template).map(([name, inner]) => [name, fillTemplate(inner, facts)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const isList = (template: object): template is { each: string; item: Template } =>
  'each' in template && 'item' in template;

const listOf = (list: unknown, item: Template): unknown[] =>
  Array.isArray(list) ? list.map(one => fillTemplate(item, Object(one))) : [];

/** The answer to what has nothing more to tell. */
export const OK = { ok: true } as const;

/** The answer to an action: what it caused, beside that it was done. */
export const ACTION: Template = {
  ok: true,
  navigated: 'navigated',
  navigating: 'navigating',
  opened: ({ opened }) => opened && { target_id: Object(opened).targetId, url: Object(opened).url },
  dialog: 'dialog',
  download: 'download',
  errors: 'errors',
};

/** The answer to a navigation: where the tab is. */
export const PAGE: Template = {
  url: 'url',
  title: 'title',
  unfinished: 'unfinished',
  status: 'status',
  dialog: 'dialog',
  download: 'download',
};
