// Which arguments of a tool may be given without their names, and the usage line that says so. The rule follows from the listing.
import type { JsonSchema, Listed } from '../../listing/listing.ts';
import { membersOf, propertiesOf, requiredOf } from '../../listing/parameters.ts';
import { TOOL_WORDS } from '../../listing/tool-words.ts';

/** An argument that a plain word can be. */
export interface Positional {
  name: string;
  /** The widest that its schema allows; undefined for a switch or an object, which a plain word is not. */
  takes: 'text' | 'number' | 'list' | undefined;
  /** The only values, when they are listed. */
  values: readonly unknown[];
  needed: boolean;
  /** Arguments that may be given instead of it. */
  instead: readonly string[];
}

/**
 * The required arguments, and the first of each list of which one must be given; right before them also the very first
 * argument, when it takes any text. When nothing is needed: the first arguments, up to one that no plain word can be.
 */
export function positionalsOf({ tool, oneOf = [] }: Listed): Positional[] {
  const required = requiredOf(tool.inputSchema);
  const others = oneOf.flatMap(([, ...rest]) => rest);
  const positionals = Object.entries(propertiesOf(tool.inputSchema))
    .filter(([name]) => !others.includes(name))
    .map(([name, schema]): Positional => {
      const choice = oneOf.find(([first]) => first === name);
      return {
        name,
        takes: takes(schema),
        values: valuesOf(schema),
        needed: required.includes(name) || choice !== undefined,
        instead: choice?.slice(1) ?? [],
      };
    });
  if (positionals.some(({ needed }) => needed)) return needed(positionals);
  const first = leading(positionals);
  return [...first, ...positionals.filter(one => isFile(one) && !first.includes(one))];
}

/** A file to save to, which a word is by its ending where nothing is needed. */
export const isFile = ({ name }: Pick<Positional, 'name'>): boolean => name === 'save_path';

export const takesAnyText = ({ takes, values }: Positional): boolean => takes === 'text' && values.length === 0;

const needed = (positionals: readonly Positional[]): Positional[] =>
  positionals.filter(
    (positional, index) => positional.needed || (index === 0 && takesAnyText(positional) && positionals[1]?.needed),
  );

function leading(positionals: readonly Positional[]): Positional[] {
  const end = positionals.findIndex(({ takes }) => takes !== 'text' && takes !== 'number');
  return positionals.slice(0, end < 0 ? positionals.length : end);
}

/** A tool of ours is a command; tools of dialects are called. */
export const commandOf = ({ name }: Listed['tool']): string =>
  TOOL_WORDS.includes(name) ? `tabwright ${name}` : `tabwright call ${name}`;

/** How the call is typed: <needed>, [<may be left out>], <list>…, and [name=value…] for the other arguments. */
export function usageOf(listed: Listed): string {
  const positionals = positionalsOf(listed);
  const words = positionals.map(({ name, takes, needed }) => {
    const shown = takes === 'list' ? `<${name}>…` : `<${name}>`;
    return needed ? shown : `[${shown}]`;
  });
  const more = Object.keys(propertiesOf(listed.tool.inputSchema)).length > positionals.length ? ['[name=value…]'] : [];
  return [commandOf(listed.tool), ...words, ...more].join(' ');
}

function takes(schema: JsonSchema): Positional['takes'] {
  const types = membersOf(schema).map(({ type }) => String(type));
  if (types.includes('string')) return 'text';
  if (types.includes('number') || types.includes('integer')) return 'number';
  return types.includes('array') ? 'list' : undefined;
}

const valuesOf = ({ enum: values }: JsonSchema): readonly unknown[] => (Array.isArray(values) ? values : []);
