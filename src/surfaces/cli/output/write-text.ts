// Text to a stream: on a terminal, nothing in it steers the terminal.

/** Characters that would steer the terminal: text of a page must not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const STEERING = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? text.replace(STEERING, '\ufffd') : text}\n`);
}
