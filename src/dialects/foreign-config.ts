// What the configs of other servers have in common: values below sections and variables, each of a kind, as options of ours.
import { briefJson, fileFailure, type NamedFile } from '../config/document.ts';
import type { Environment } from '../config/environment.ts';
import { type OptionKind, readNative } from '../config/kinds.ts';
import type { ConfigSource } from '../config/load.ts';
import type { Layer } from '../config/options.ts';
import { isRecord } from '../defined.ts';
import { Failure } from '../errors.ts';

/** One value of a config file. */
export interface ConfigValue {
  /** With the sections around it: mcp.api_key. */
  key: string;
  value: unknown;
  line(): number | undefined;
}

/** The values in sections one by one; lists are values. `line` finds the line of a path. */
export function valuesIn(
  value: unknown,
  line: (path: readonly string[]) => number | undefined,
  path: readonly string[] = [],
): ConfigValue[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([key, inner]) => valuesIn(inner, line, [...path, key]));
  return path.length === 0 || value === undefined ? [] : [{ key: path.join('.'), value, line: () => line(path) }];
}

/** The value as its kind reads it; a mistake is a Failure that names file and line. */
export function readValue<T>(
  kind: OptionKind<T>,
  { key, value, line }: ConfigValue,
  file: NamedFile,
  environment: Environment,
): T {
  const read = readNative(kind, value, environment);
  if (read !== undefined) return read;
  throw fileFailure(file, line(), `${key}${kind.secret ? '' : ` ${briefJson(value)}`}: expected ${kind.expected}.`);
}

export interface ForeignVariable {
  kind: OptionKind<unknown>;
  /** The options that a value of it sets. */
  sets(value: unknown): Layer;
}

export function readVariables(
  variables: Readonly<Record<string, ForeignVariable>>,
  environment: Environment,
): ConfigSource {
  const layers = Object.entries(variables).flatMap(([name, { kind, sets }]) => {
    const text = environment.env[name];
    if (!text) return [];
    const value = kind.read(text, environment);
    if (value === undefined) throw new Failure('bad_input', `${name}: expected ${kind.expected}.`);
    return [{ name, layer: sets(value) }];
  });
  return {
    layer: Object.assign({}, ...layers.map(({ layer }) => layer)),
    origin: key => layers.find(({ layer }) => key in layer)?.name ?? '',
  };
}
