// What sites keep in the browser: cookies and web storage.
import type { Args } from '../dialect.ts';
import { type BrowsionRow, onPage, place, text } from './row.ts';

const DID = { ok: true } as const;
const format = { type: 'string', enum: ['json', 'netscape'], default: 'json' };
const area = {
  storage_type: { type: 'string', enum: ['local', 'session'], default: 'local', description: 'Which web storage' },
};
const inArea = { type: 'storage_type' };

const itemsIn = ({ entries }: Args): Args => Object.fromEntries(Array.isArray(entries) ? entries : []);

/** The area also in the path. */
const stored = (row: Parameters<typeof onPage>[0], method: 'GET' | 'POST' | 'DELETE'): BrowsionRow => ({
  ...onPage(row),
  at: [place(`${method} storage`), place(`${method} storage/:storage_type`)],
});

export const KEEPING: Readonly<Record<string, BrowsionRow>> = {
  get_cookies: onPage({
    category: 'Cookies',
    summary:
      'List the cookies of the profile. Values that scripts may not read are not shown; export_cookies has them.',
    at: 'GET cookies',
    cases: [{ to: 'cookies', set: { action: 'get_all' } }],
    gives: 'cookies',
  }),
  set_cookie: onPage({
    category: 'Cookies',
    summary: 'Set a cookie.',
    takes: {
      name: text('Name'),
      value: text('Value'),
      domain: text('Such as example.com; also for the hosts below it'),
      path: { type: 'string', default: '/' },
    },
    required: ['name', 'value', 'domain'],
    at: 'POST cookies/set',
    cases: [
      {
        to: 'cookies',
        set: { action: 'set' },
        args: { name: 'name', value: 'value', domain: 'domain', path: 'path' },
      },
    ],
    gives: DID,
  }),
  delete_cookies: onPage({
    category: 'Cookies',
    summary: 'Delete all cookies of the profile.',
    at: 'POST cookies/clear',
    cases: [{ to: 'cookies', set: { action: 'clear' } }],
    gives: { ok: true, deleted: 'count' },
  }),
  export_cookies: onPage({
    category: 'Cookie portability',
    summary: 'All cookies of the profile as a text that import_cookies and other programs take, with their values.',
    takes: { format: { ...format, description: 'netscape: the cookies.txt of curl and wget' } },
    at: 'GET cookies/export',
    cases: [{ to: 'cookies', set: { action: 'export' }, args: { format: 'format' } }],
    gives: { format: 'input.format', count: 'count', data: 'exported' },
  }),
  import_cookies: onPage({
    category: 'Cookie portability',
    summary: 'Put cookies into the profile that export_cookies gave, or another program.',
    takes: { format, data: text('The text') },
    required: ['data'],
    at: 'POST cookies/import',
    cases: [{ to: 'cookies', set: { action: 'import' }, args: { format: 'format', data: 'data' } }],
    gives: { imported: 'count', errors: ({ refused = [] }) => refused, expired: 'expired' },
  }),
  get_storage: stored(
    {
      category: 'Storage',
      summary: 'Read all of the localStorage or sessionStorage of the page.',
      takes: area,
      at: 'GET storage',
      cases: [{ to: 'storage', set: { action: 'entries', whole: true }, args: inArea }],
      gives: { storage: itemsIn, type: 'input.type' },
    },
    'GET',
  ),
  set_storage: stored(
    {
      category: 'Storage',
      summary: 'Set an item of the localStorage or sessionStorage of the page.',
      takes: { ...area, key: text('Name of the item'), value: text('What it shall hold') },
      required: ['key', 'value'],
      at: 'POST storage',
      cases: [{ to: 'storage', set: { action: 'set' }, args: { ...inArea, key: 'key', value: 'value' } }],
      gives: DID,
    },
    'POST',
  ),
  clear_storage: stored(
    {
      category: 'Storage',
      summary: 'Remove one item of the localStorage or sessionStorage of the page, or all.',
      takes: { ...area, key: text('Only this one') },
      at: 'DELETE storage',
      cases: [
        {
          when: { key: { is: 'given' } },
          to: 'storage',
          set: { action: 'remove' },
          args: { ...inArea, key: 'key' },
        },
        { to: 'storage', set: { action: 'clear' }, args: inArea },
      ],
      gives: { ok: true, removed: 'removed' },
    },
    'DELETE',
  ),
};
