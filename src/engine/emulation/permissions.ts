// Permissions of sites, by browser context. Remembered, so that a restarted browser gets them too.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { phrase, tabName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { Page } from '../page/page.ts';

export const PERMISSIONS = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'clipboard-read',
  'clipboard-write',
] as const;
export const STATES = ['granted', 'denied', 'prompt'] as const;

export interface Permission {
  name: (typeof PERMISSIONS)[number];
  state: (typeof STATES)[number];
}

/** The tab, as permissions need it: Tab imports the emulation, so it cannot be imported here. */
interface PermissionTab {
  readonly id: number;
  readonly url: string;
  readonly page: Page;
  race<T>(limits: Limits, promise: Promise<T>): Promise<T>;
}

interface Grant extends Permission {
  origin: string;
  /** Granted only because this tab emulates a position. */
  forTab?: number;
}

const MAX_GRANTS = 1_000;

const grantsByContext = new WeakMap<BrowserContext, Map<string, Grant>>();

function grantsOf(context: BrowserContext): Map<string, Grant> {
  const known = grantsByContext.get(context) ?? new Map<string, Grant>();
  grantsByContext.set(context, known);
  return known;
}

const keyOf = ({ origin, name }: Pick<Grant, 'origin' | 'name'>): string => `${name} ${origin}`;

export interface Permitted {
  origin: string;
  permissions: Permission[];
}

export async function setPermissions(
  tab: PermissionTab,
  { permissions, origin: given }: { permissions: Permission[]; origin?: string | undefined },
  limits: Limits,
): Promise<Permitted> {
  const origin = originOf(given ?? tab.url);
  if (origin === undefined)
    throw new Failure(
      'bad_input',
      given === undefined
        ? phrase`The page of ${tabName(tab.id)} has no origin that permissions could be for.`
        : `${JSON.stringify(given.slice(0, 200))} is no origin of a site.`,
      'Give origin like "https://example.com", or open the site first.',
    );
  for (const { name, state } of permissions) await tab.race(limits, put(tab, { origin, name, state }));
  return { origin, permissions };
}

/** `https://example.com` of an http or https URL; undefined for any other. */
export function originOf(url: string): string | undefined {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  return /^https?:$/.test(protocol) ? origin : undefined;
}

/** The state that the caller has set for the site, if any. */
export function stateOf(tab: PermissionTab, name: Permission['name'], origin: string): Permission['state'] | undefined {
  const grant = grantsOf(tab.page.context()).get(keyOf({ name, origin }));
  return grant?.forTab === undefined ? grant?.state : undefined;
}

/** Grants the site the emulated position, unless the caller has set that permission. */
export async function grantPosition(tab: PermissionTab, url: string): Promise<void> {
  const origin = originOf(url);
  if (origin === undefined) return;
  if (grantsOf(tab.page.context()).has(keyOf({ name: 'geolocation', origin }))) return;
  await put(tab, { name: 'geolocation', state: 'granted', origin, forTab: tab.id });
}

export async function revokePosition(tab: PermissionTab): Promise<void> {
  const grants = grantsOf(tab.page.context());
  for (const grant of [...grants.values()].filter(({ forTab }) => forTab === tab.id)) {
    grants.delete(keyOf(grant));
    await send(tab.page.context(), { ...grant, state: 'prompt' });
  }
}

/** Applies the permissions to the context that replaced another one, in a browser that was started again. */
export async function renewPermissions(before: BrowserContext, after: BrowserContext): Promise<void> {
  if (before === after || grantsByContext.has(after)) return;
  const grants = grantsOf(before);
  grantsByContext.set(after, grants);
  for (const grant of grants.values()) await send(after, grant);
}

async function put(tab: PermissionTab, grant: Grant): Promise<void> {
  const grants = grantsOf(tab.page.context());
  const key = keyOf(grant);
  if (grants.size >= MAX_GRANTS && !grants.has(key))
    throw new Failure('refused', `There are already ${MAX_GRANTS} permissions set.`, 'Use another session.');
  await send(tab.page.context(), grant);
  grants.set(key, grant);
}

/** On the browser's own session: permissions end with the session that has set them. */
async function send(context: BrowserContext, { origin, name, state }: Grant): Promise<void> {
  const params = defined({ permission: { name }, setting: state, origin, browserContextId: context.id });
  await context.browser().connection.root.send('Browser.setPermission', params);
}
