// The config of the server that a dialect replaces, as sources of options for load().

import type { Environment } from '../config/environment.ts';
import type { ConfigSource, ReadForeignConfig } from '../config/load.ts';
import { entryOf } from './registry.ts';

/** What `config-file.ts` in the folder of a dialect exports as `read`; `profilesFile` is the option of that name. */
export type ReadConfigFile = (environment: Environment, profilesFile?: string) => Promise<ConfigSource[]>;

export const readForeignConfig: ReadForeignConfig = async (dialect, environment, profilesFile) => {
  if (!entryOf(dialect)?.hasConfigFile) return [];
  const { read }: { read: ReadConfigFile } = await import(`./${dialect}/config-file.ts`);
  return read(environment, profilesFile);
};
