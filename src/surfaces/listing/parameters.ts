// What a person reads about the arguments of a tool, in the docs and in the terminal: made from the schema of the listing.
import type { JsonSchema } from './listing.ts';

export interface Parameter {
  name: string;
  required: boolean;
  type: string;
  /** As JSON; absent when there is none. */
  default?: string;
  meaning: string;
}

/** For tools of other dialects, which leave these unexplained. */
const MEANINGS: Readonly<Record<string, string>> = {
  selector: 'Ref (@e5), role:button, text:Save, label:Email, CSS or xpath=…',
  tabId: 'Which tab; the active one if left out',
  frameId: 'Which frame; the main one, 0, if left out',
  windowId: 'Which window',
  timeout: 'Most time for the call, in ms',
  modifiers: 'Keys that are held down',
  coordinates: 'A point of the viewport, in CSS pixels',
};

/** The arguments in the order of the schema. `code` marks what is typed as it stands. */
export function parametersOf(schema: JsonSchema, code: (text: string) => string = text => text): Parameter[] {
  const required = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    required: required.includes(name),
    type: typeOf(property, code),
    ...('default' in property && { default: JSON.stringify(property.default) }),
    meaning: String(property.description ?? MEANINGS[name] ?? ''),
  }));
}

export const propertiesOf = ({ properties }: JsonSchema): Record<string, JsonSchema> =>
  (properties ?? {}) as Record<string, JsonSchema>;

export const requiredOf = ({ required }: JsonSchema): string[] => (required ?? []) as string[];

/** The schemas of which a value must fit one; the schema itself when it names no others. */
export function membersOf(schema: JsonSchema): JsonSchema[] {
  const members = [schema.anyOf, schema.oneOf].flatMap(list => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  return members.length > 0 ? members : [schema];
}

/** The type of an argument, in the words of JSON. */
function typeOf(schema: JsonSchema, code: (text: string) => string): string {
  const members = membersOf(schema);
  if (members[0] !== schema) return members.map(member => typeOf(member, code)).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map(value => code(JSON.stringify(value))).join(', ');
  if ('const' in schema) return code(JSON.stringify(schema.const));
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema, code)}`;
  if (schema.type === 'object' && schema.properties) return code(`{${Object.keys(propertiesOf(schema)).join(', ')}}`);
  return [schema.type ?? 'any'].flat().join(' or ');
}
