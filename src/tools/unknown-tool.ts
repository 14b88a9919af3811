// Failures of calls to a tool that is not there, with the tool that may be meant.
import { nearest } from '../config/nearest.ts';
import { Failure } from '../errors.ts';

/** Also names with the tool's name inside, such as browser_click, are near it. */
export function unknownTool(names: readonly string[], name: string): Failure {
  const asked = name.slice(0, 64);
  const inside = names.filter(known => asked.toLowerCase().includes(known));
  const close = [...new Set([...nearest(asked, names), ...inside])].slice(0, 3);
  return new Failure(
    'unknown_tool',
    `There is no tool ${JSON.stringify(asked)}.`,
    close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `The tools are: ${names.join(', ')}.`,
  );
}

/** The tool of a dialect is there, but not the native one that does its work. */
export const notOffered = (name: string, tool: string): Failure =>
  new Failure('unknown_tool', `${name} needs the tool ${tool}, which is not offered.`, 'Offer it with --tools.');
