// Prints what came of a call: results to stdout, failures to stderr, pictures as files.
import type { Outcome } from '../../client/outcome.ts';
import { savePictures } from './pictures.ts';

/** Characters that would steer the terminal: text of a page must not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const STEERING = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export interface Showing {
  json: boolean;
  /** The tool, for the names of pictures. */
  tool: string;
  /** Where pictures are saved. */
  folder: string;
}

export async function show({ text, structured, pictures }: Outcome, { json, tool, folder }: Showing): Promise<void> {
  const files = await savePictures(pictures, folder, tool);
  if (json) {
    const shown = { ...structured, text, ...(files.length > 0 && { files }) };
    return write(process.stdout, JSON.stringify(shown, null, 2));
  }
  const saved = files.map(({ path }) => `Saved ${path}`);
  write(structured.success ? process.stdout : process.stderr, [text, ...saved].join('\n'));
}

export function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? text.replace(STEERING, '\ufffd') : text}\n`);
}
