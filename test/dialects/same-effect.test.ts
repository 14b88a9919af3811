// Old and new names do the same, for each row of the migration table: on the same page, through a real client.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../site/serve.ts';
import { type Agent, type Answer, agent } from '../surfaces/agents.ts';
import { BUNDLE, CLIENT_INFO, cleanEnv, temporaryFolder } from '../surfaces/process.ts';
import { OLD_TOOLS } from './old-tools.ts';
import { SAME, type Same, SITE, type Step } from './same.ts';

const folder = temporaryFolder();
let site: Site;
let old: Agent;

beforeAll(async () => {
  site = await startSite();
  const client = new Client(CLIENT_INFO);
  const args = [BUNDLE, '--dialect', 'chrome', '--upload-dirs', process.cwd()];
  const env = cleanEnv(folder.path);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  old = agent(client);
});
afterAll(async () => {
  await old.close();
  await site.close();
  folder.remove();
});

const tabIds = async (): Promise<number[]> =>
  [...(await old.ok('tab_list')).matchAll(/^[*-] (\d+):/gm)].map(match => Number(match[1]));

/** One tab, with the page in it. */
async function open({ page, inNewTab = false }: Same): Promise<void> {
  if (inNewTab) await old.ok('tab_new');
  const ids = await tabIds();
  const kept = inNewTab ? ids.at(-1) : ids[0];
  if (ids.length > 1) {
    await old.ok('tab_close', { tabId: ids.filter(id => id !== kept) });
    await old.ok('tab_switch', { tabId: kept });
  }
  await old.ok('navigate', { url: site.url + (page.startsWith('/') ? page : `/html?of=${encodeURIComponent(page)}`) });
}

async function refOf(text: string): Promise<string> {
  const page = await old.ok('snapshot');
  const line = page.split('\n').find(row => row.includes('[ref=') && row.includes(text));
  const ref = line && /\[ref=(ref_\d+)\]/.exec(line)?.[1];
  if (!ref) throw new Error(`No ref with ${text} in:\n${page}`);
  return ref;
}

/** Arguments with the real refs, tabs and addresses. The new tools get refs as they write them. */
async function real(value: unknown, isOld: boolean): Promise<unknown> {
  if (value === 'FIRST') return (await tabIds())[0];
  if (value === 'LAST') return (await tabIds()).at(-1);
  if (typeof value === 'string') {
    const text = /^ref:(.*)/.exec(value)?.[1];
    if (text === undefined) return value.replace(SITE, site.url);
    const ref = await refOf(text);
    return isOld ? ref : ref.replace('ref_', '@e');
  }
  if (Array.isArray(value)) return Promise.all(value.map(item => real(item, isOld)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await real(item, isOld)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function play(steps: readonly Step[], isOld: boolean, meanwhile?: Same['meanwhile']): Promise<Answer> {
  let answer: Answer = { content: [] };
  for (const [at, [name, args = {}]] of steps.entries()) {
    const calling = old.call(name, (await real(args, isOld)) as Record<string, unknown>);
    if (meanwhile && at === steps.length - 1) {
      await expect.poll(() => old.ok('evaluate', { expression: meanwhile.when }), { timeout: 10_000 }).toBe('true');
      await play(meanwhile.steps, isOld);
    }
    answer = await calling;
    if (answer.isError) throw new Error(`${name} ${JSON.stringify(args)} failed: ${answer.content[0]?.text}`);
  }
  return answer;
}

/** Without what differs from one time to the next: times, ids, file names, sizes, boundaries. */
const comparable = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\(?\d+ visits\)?/g, '')
    .replace(/\d+(?:\.\d+)? (?:ms|s|MB|kB|bytes)\b/g, 'SIZE')
    // A page that is stopped early has not painted yet: it has fewer facts.
    .replace(/(?<=^Trace of )[\s\S]+(?=\nSaved to )/, 'FACTS')
    .replace(/(?:-{4}-*)?form-?data-undici-\w+/gi, 'BOUNDARY')
    .replace(/"content-length":"\d+"/g, 'LENGTH')
    .replace(/ref_\d+/g, 'ref_')
    .replace(/^(?:[*-] )?\d+: /gm, 'ID ')
    .replace(/(?:-\d+)?\.(?:png|gif|csv|json)\b|trace-\d+/g, 'FILE');

async function outcome(same: Same, steps: readonly Step[], isOld: boolean): Promise<unknown> {
  await open(same);
  const { content } = await play(steps, isOld, same.meanwhile);
  await play(same.after ?? [], isOld);
  if (same.see !== undefined)
    return JSON.parse(await old.ok('evaluate', { expression: `JSON.stringify(await (${same.see}))` }));
  return content.map(part => (part.type === 'image' ? part : comparable(part.text ?? '')));
}

describe('the migration table', () => {
  it.each(SAME)('$id $what', async same => {
    const [before, now] = [await outcome(same, same.old, true), await outcome(same, same.now, false)];
    expect(before).toEqual(now);
    const said = typeof now === 'string' ? now : (now as string[])[0];
    if (same.expected instanceof RegExp) expect(said).toMatch(same.expected);
    else expect(said).toEqual(same.expected);
  });

  it('S1-70 has each of its rows here, old and new', () => {
    const names = new Set(SAME.flatMap(same => same.old.map(([name]) => name)));
    const twins = ['chrome_network_debugger_start', 'chrome_network_debugger_stop'];
    const all = Object.values(OLD_TOOLS).flatMap(tools => Object.keys(tools));
    expect(all.filter(name => !names.has(name) && !twins.includes(name))).toEqual([]);
    expect(new Set(SAME.map(({ id }) => id))).toEqual(new Set(Object.keys(OLD_TOOLS).map(id => `S1-${id}`)));
  });
});
