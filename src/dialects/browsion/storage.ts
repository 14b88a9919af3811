// What sites keep in the browser: cookies and web storage.
import type { NativeStep, Sources } from '../definition.ts';
import type { Args } from '../dialect.ts';
import { type BrowsionMapping, OK, type Template } from './template.ts';

const cookies = (action: string, template: Template, args: Sources = {}) => ({
  tool: 'cookies',
  constants: { action },
  args,
  template,
});

/** Of the storage that `storage_type` names. */
const webStorage = (action: string, args: Sources = {}): NativeStep => ({
  tool: 'storage',
  constants: { action },
  args: { type: 'storage_type', ...args },
});

const itemsIn = ({ entries }: Args): Args => Object.fromEntries(Array.isArray(entries) ? entries : []);

export const storage = {
  get_cookies: cookies('get_all', 'cookies'),
  set_cookie: cookies('set', OK, { name: 'name', value: 'value', domain: 'domain', path: 'path' }),
  delete_cookies: cookies('clear', { ok: true, deleted: 'count' }),
  export_cookies: cookies('export', { format: 'input.format', count: 'count', data: 'exported' }, { format: 'format' }),
  import_cookies: cookies(
    'import',
    { imported: 'count', errors: ({ refused = [] }) => refused, expired: 'expired' },
    { format: 'format', data: 'data' },
  ),
  get_storage: {
    ...webStorage('entries', { whole: { value: true } }),
    template: { storage: itemsIn, type: 'input.type' },
  },
  set_storage: { ...webStorage('set', { key: 'key', value: 'value' }), template: OK },
  clear_storage: {
    cases: [{ when: { key: { is: 'given' } }, ...webStorage('remove', { key: 'key' }) }, webStorage('clear')],
    template: { ok: true, removed: 'removed' },
  },
} as const satisfies Record<string, BrowsionMapping>;
