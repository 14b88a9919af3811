// Tools for what sites keep in the browser: cookies, web storage, saved logins.
import { z } from 'zod';
import { counted } from '../../engine/amounts.ts';
import { foldersIn } from '../../engine/limits.ts';
import {
  COOKIE_FORMATS,
  type CookieTransfer,
  exportCookies,
  importCookies,
} from '../../engine/storage/cookie-files.ts';
import {
  ACTIONS as COOKIE_ACTIONS,
  type CookieList,
  type CookieRow,
  hostOfDomain,
  SAME_SITES,
  cookies as useCookies,
} from '../../engine/storage/cookies.ts';
import { type AuthInput, type LoginResult, loadLogin, saveLogin } from '../../engine/storage/login.ts';
import { deleteState, listStates, type SavedLogin } from '../../engine/storage/saved-logins.ts';
import {
  AREAS,
  ACTIONS as STORAGE_ACTIONS,
  type StorageResult,
  storage as useStorage,
} from '../../engine/storage/web-storage.ts';
import { about, needs, number, off, on, pageUrl, rare, tabId, text, typedText } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

/** Whose cookies are meant, instead of those of the page. */
const domain = marked(z.string().min(1).max(253), 'host', name => [hostOfDomain(String(name))]);
const hiddenNote = (hidden: number | undefined): string =>
  hidden ? `\n${counted(hidden, 'value')} not shown: http_only, or a secret by name or form.` : '';

function cookieLine({ name, value, domain: host, path, secure, http_only, same_site, expires, partition }: CookieRow) {
  const marks = [
    `domain=${host}`,
    `path=${path}`,
    expires === undefined ? 'session' : `expires=${new Date(expires * 1_000).toISOString()}`,
    ...(secure ? ['secure'] : []),
    ...(http_only ? ['http_only'] : []),
    ...(same_site === undefined ? [] : [`same_site=${same_site}`]),
    ...(partition === undefined ? [] : [`partition=${partition}`]),
  ];
  return `${name}=${value}; ${marks.join('; ')}`;
}

function cookieList({ cookies: rows, count, hidden }: CookieList): string {
  const more = count > rows.length ? `\n… and ${count - rows.length} more (give url or domain_filter).` : '';
  return `${rows.map(cookieLine).join('\n')}${more}${hiddenNote(hidden)}`;
}

function importedText({ count, refused = [], expired = 0 }: CookieTransfer): string {
  const notes = [
    ...(expired > 0 ? [`${counted(expired, 'cookie')} had expired.`] : []),
    ...(refused.length > 0 ? [`Chrome did not take: ${refused.slice(0, 10).join(', ')}.`] : []),
  ];
  return [`Imported ${counted(count, 'cookie')}.`, ...notes].join(' ');
}

const COOKIES_SAY = {
  get: 'No such cookie.',
  get_all: 'No cookies.',
  set: '',
  delete: 'No such cookie: nothing was deleted.',
  clear: 'No cookies: nothing was cleared.',
};

export const cookies = tool({
  summary: 'Read, set or delete cookies.',
  example: ['get', 'name=theme'],
  effect: 'write',
  effectWith: ({ action }) => (action === 'export' ? 'danger' : undefined),
  despiteDialog: true,
  input: {
    action: about('clear deletes all that fit', z.enum([...COOKIE_ACTIONS, 'export', 'import'])),
    url: about('Cookies that this address is sent; those of the page if left out', pageUrl.optional()),
    name: about('The name of the cookie', text(4_096).optional()),
    value: about('Its value, for set', typedText(10_000).optional()),
    domain: about('Its domain; .example.com also means the hosts below it', domain.optional()),
    path: text(1_024).startsWith('/').optional().meta({ default: '/', docs: 'Its path' }),
    secure: about('Sent over https only', z.boolean().optional()),
    http_only: about('Hidden from scripts', z.boolean().optional()),
    same_site: about('Whether other sites have it sent', z.enum(SAME_SITES).optional()),
    expires: about(
      'When it ends, in seconds since 1970; with the browser if left out',
      number(0, 1e11).optional(),
      'Epoch seconds',
    ),
    domain_filter: about('Only cookies of this domain, for get_all and clear', domain.optional()),
    format: rare('Of export and import', z.enum(COOKIE_FORMATS).default('json')),
    data: rare('The cookies to import', typedText(10_000_000).optional()),
  },
  async run(tab, { action, ...input }, limits): Promise<CookieList & Partial<CookieTransfer>> {
    needs(
      'cookies',
      { action, ...input },
      { get: ['name'], set: ['name', 'value'], delete: ['name'], import: ['data'] },
    );
    const carried = { cookies: [], hidden: 0 };
    if (action === 'export') return { ...carried, ...(await exportCookies(tab, input.format, limits)) };
    if (action === 'import')
      return { ...carried, ...(await importCookies(tab, input.format, input.data ?? '', limits)) };
    return useCookies(tab, { ...input, action }, limits);
  },
  text(data, { action }) {
    if (action === 'export') return `${counted(data.count, 'cookie')} in the structured data.`;
    if (action === 'import') return importedText(data);
    const [first] = data.cookies;
    if (!first) return COOKIES_SAY[action];
    if (action === 'set') return `Set cookie ${cookieLine({ ...first, value: '…' })}`;
    if (action === 'get' || action === 'get_all') return cookieList(data);
    const names = [...new Set(data.cookies.map(({ name }) => name))].slice(0, 20).join(', ');
    return `Deleted ${counted(data.count, 'cookie')}: ${names}${data.count > 20 ? ', …' : ''}`;
  },
});

const left = (data: StorageResult, what: string): string => (data.left ? `\n… ${data.left} more ${what}` : '');

export const storage = tool({
  summary: 'Read or change localStorage or sessionStorage.',
  example: ['get', 'key=theme'],
  effect: 'write',
  input: {
    action: about('What to do', z.enum(STORAGE_ACTIONS)),
    type: about('localStorage or sessionStorage', z.enum(AREAS).default('local')),
    key: about('The name of the item', text(100_000).optional()),
    value: about('Its value, for set', typedText().optional()),
    whole: rare('entries: values in full length, in structured data', off),
    tabId,
  },
  run(tab, input, limits) {
    needs('storage', input, { get: ['key'], set: ['key', 'value'], remove: ['key'] });
    return useStorage(tab, input, limits);
  },
  text(data, { action, type, key = '' }) {
    const place = `${type} storage of ${data.origin}`;
    const named = JSON.stringify(key.slice(0, 200));
    switch (action) {
      case 'get':
        if (typeof data.value !== 'string') return `There is no ${named} in the ${place}.`;
        return `${data.value}${left(data, 'characters')}${hiddenNote(data.hidden)}`;
      case 'set':
        return `Set ${named} in the ${place}.`;
      case 'remove':
        return data.removed ? `Removed ${named} from the ${place}.` : `There was no ${named} in the ${place}.`;
      case 'clear':
        return `Removed ${counted(data.removed ?? 0, 'item')} from the ${place}.`;
      case 'length':
        return `${counted(data.length, 'item')} in the ${place}.`;
      default: {
        const lines = data.entries
          ? data.entries.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
          : (data.keys ?? []).map(name => JSON.stringify(name));
        const rows = lines.map(line => `\n${line}`).join('');
        return `${counted(data.length, 'item')} in the ${place}${rows === '' ? '.' : `:${rows}`}${left(data, 'items')}${hiddenNote(data.hidden)}`;
      }
    }
  },
});

interface AuthData {
  login?: LoginResult;
  states?: SavedLogin[];
  deleted?: string;
}

function loginText(login: LoginResult, action: string): string {
  const { name, origins, cookies: count, local, session, expired = 0, refused = [], leftOut = 0 } = login;
  const parts = [counted(count, 'cookie'), `${local} local`, `${session} session storage items`];
  const notes = [
    login.replaced ? 'It replaces an older one.' : '',
    expired > 0 ? `${counted(expired, 'cookie')} had expired.` : '',
    refused.length > 0 ? `Chrome did not take: ${refused.slice(0, 10).join(', ')}.` : '',
    leftOut > 0 ? `${leftOut} session storage items were left out (include_session_storage).` : '',
    login.reload ? 'Reload the page to use it.' : '',
  ].filter(Boolean);
  const deed = action === 'save' ? 'Saved' : 'Loaded';
  return [`${deed} "${name}": ${parts.join(', ')} of ${origins.join(', ')}.`, ...notes].join(' ');
}

const stateLine = ({ name, saved, origins, cookies: count, fault }: SavedLogin): string =>
  fault === undefined
    ? `${name}: ${origins.join(', ')} (${counted(count, 'cookie')}, saved ${saved})`
    : `${name}: ${fault}`;

export const auth_state = tool({
  summary: 'Save a login by name; load it in any session.',
  example: ['save', 'name=work'],
  on: 'session',
  onPage: true,
  effect: 'write',
  time: 'navigation',
  input: {
    action: about('All but list need the name', z.enum(['save', 'load', 'list', 'delete'])),
    name: about('The name that the login is saved by', marked(z.string().min(1).max(200), 'login').optional()),
    origins: about(
      'Of which sites to save it; that of the page if left out',
      z.array(pageUrl).min(1).max(50).optional(),
    ),
    include_local_storage: about('Also localStorage', on),
    include_session_storage: about('Also sessionStorage', off),
    tabId,
  },
  async run({ context }, input, limits): Promise<AuthData> {
    needs('auth_state', input, { save: ['name'], load: ['name'], delete: ['name'] });
    const { logins } = foldersIn(limits);
    const { action, name = '' } = input;
    if (action === 'list') return { states: await listStates(logins) };
    if (action === 'delete') {
      await deleteState(logins, name);
      return { deleted: name };
    }
    const tab = await context.tab(input.tabId, limits);
    const wanted: AuthInput = { ...input, name };
    return { login: await (action === 'save' ? saveLogin : loadLogin)(tab, wanted, limits) };
  },
  text({ login, states, deleted }, { action }) {
    if (login) return loginText(login, action);
    if (deleted !== undefined) return `Deleted the saved login "${deleted}".`;
    return states?.length ? states.map(stateLine).join('\n') : 'No login is saved.';
  },
});
