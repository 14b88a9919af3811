// Records the trace that the tests without a browser read: npx tsx test/engine/trace/recorded/record.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startKit } from '../../../kit.ts';
import { startSlowSite } from '../slow-site.ts';

interface Event {
  args: { data?: { sourceText?: string } };
}

/** Without the scripts that drive the page. */
const lean = (events: readonly Event[]): Event[] =>
  events.filter(({ args }) => (args.data?.sourceText?.length ?? 0) < 5_000);

const kit = await startKit();
const site = await startSlowSite();
await kit.open(site.url);
await kit.ok('capture', { action: 'start', mode: 'trace', reload: true });
await kit.ok('wait', { for: 'function', function: "document.title === 'Done'" });
await kit.ok('click', { selector: '#work' });
await kit.ok('wait', { for: 'text', text: 'Worked' });
await kit.ok('capture', { action: 'stop', mode: 'trace', save_path: 'slow.json' });
const { traceEvents } = JSON.parse(readFileSync(join(kit.folder, 'output', 'slow.json'), 'utf8'));
const text = JSON.stringify({ traceEvents: lean(traceEvents) }).replaceAll(site.url, 'http://slow.example');
writeFileSync(join(import.meta.dirname, 'slow.json.gz'), gzipSync(text, { level: 9 }));
await kit.close();
await site.close();
