// Reads a value that nobody may see: from a pipe, or typed at a terminal that does not show it. Never from arguments, which others can read.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

export async function readValue(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // The line break at the end comes from the program that wrote it.
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  // Asked when the terminal no longer shows what is typed.
  stderr.write(question);
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])) as [string];
  lines.close();
  stderr.write('\n');
  return line;
}
