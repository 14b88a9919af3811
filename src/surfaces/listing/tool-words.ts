// The words that a command line takes for tools: their names, and shorter ones that people know from other programs.
import { LISTED } from './listed.ts';

/** Another word → the tool. */
export const ALIASES: Readonly<Record<string, string>> = { open: 'navigate', eval: 'evaluate' };

export const TOOL_WORDS: readonly string[] = [...LISTED.map(({ tool }) => tool.name), ...Object.keys(ALIASES)];
