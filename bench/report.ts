// The text of bench/results.md.
import type { Line } from './judge.ts';
import type { Machine } from './machine.ts';
import { markdownTable, tableRows } from './table.ts';
import type { Fault } from './tally.ts';

const ABOUT = `
Medians, as a client sees them: from the first byte of a request to the whole answer. "× best peer" is Tabwright's median divided by that of the best peer;
for start → tools/list by that of the best peer that runs on Node, because a native program starts before Node has loaded anything. A target of "≤ 0.5 ×" is such a ratio, one of "≤ 1.6 × raw" that to raw CDP; both must be met.
"raw CDP" is Chrome itself: a bare process that sends the fewest commands for each task and checks nothing (\`bench/raw-cdp.js\`); its start to the list of tools is that of an empty Node process.
For HTTP more is better; everywhere else less is. n/a: the server has no such thing.
`;

const NOTES = `
## How it is measured

- All servers drive the same browser, headless, with an empty profile and a page of 1280x720, on the same pages on loopback. Each runs with its own defaults otherwise,
  started directly (\`node file\`, or the program itself), not through npx.
- The client is one small JSON-RPC client over stdio for all of them. An answer that is an error fails its row; it is never timed as a success. What a call was to do is checked in
  the page or on the site: clicks are counted as trusted events, values are read back, the sign-up must arrive whole.
- In each round every server does every task in turn, and each round begins with another server. One round before the first is not counted. All servers stay up meanwhile, idle.
- Starts are cold: a new process, a new browser and a new profile each time. The first page is the answer to the first navigation.
- A snapshot is timed on a page that has come to rest: one read after the load is not counted. The first read after a load waits for the page's first paint, which penalises the server that answered the load soonest.
- Characters are those of the text in the answers, which every client shows to the model.
- Memory is the resident memory (RSS) of the server and its own processes, daemons included, without the processes of the browser, after the rounds.
- HTTP: evaluate calls in one session, two seconds with one call at a time and two seconds with four. chrome-devtools-mcp and agent-browser do not serve HTTP.

## What to know about the peers

- playwright-mcp waits up to 500 ms after a click and after an evaluate for what they may start (\`--timeout-settle\`); this is its default.
- chrome-devtools-mcp waits for the page to become stable after each action, evaluate included. It runs here with usage statistics off, which spares it a second process.
- agent-browser's snapshot leaves out all text that is no control or heading, unless asked otherwise. "snapshot, 20 rows" is what it answers by default; for the article, where the text is
  the point, it is asked for everything. "controls only" is the same thing asked of Tabwright. It repeats most answers in a second, structured form; those characters are not counted.
- In the form task playwright-mcp and chrome-devtools-mcp fill the five fields with one call of their form tools; agent-browser and Tabwright make five calls.
  agent-browser's click does not wait for the page that it opens: when the snapshot after it still shows the form, it is read again, and that counts.
- Tabwright bounds every answer (25,000 characters by default) and says what it left out; the peers send 1000 rows whole.
`;

function misses(lines: readonly Line[]): string {
  const judged = lines.filter(line => line.verdict);
  const missed = judged.filter(line => line.verdict === 'miss').length;
  return `${judged.length - missed} of ${judged.length} targets met.`;
}

export function report(lines: readonly Line[], machine: Machine, rounds: number, faults: readonly Fault[]): string {
  const facts = machine.facts.map(([name, value]) => `- ${name}: ${value}`).join('\n');
  const failed = faults.map(({ server, task, message }) => `- FAILED: ${server}, ${task}: ${message.split('\n')[0]}`);
  return `# Benchmark

${machine.date}, ${rounds} rounds. ${misses(lines)} Written by \`npm run bench -- --peers\`, which also repeats it.

![Each row, the best peer being 1](results.svg)
${ABOUT}
${markdownTable(tableRows(lines))}
${failed.length > 0 ? `\n${failed.join('\n')}\n` : ''}
## Machine

${facts}
${NOTES}`;
}
