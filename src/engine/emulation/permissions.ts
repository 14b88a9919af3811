// Permissions: what sites may do without asking, by window of the browser. Remembered, so that a restarted browser knows them too.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { phrase, tabName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { CdpSession } from '../tab/cdp-session.ts';

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

/** The tab, as far as permissions go. */
interface Host {
  readonly id: number;
  readonly url: string;
  readonly page: Page;
  readonly main: CdpSession;
  race<T>(limits: Limits, promise: Promise<T>): Promise<T>;
}

interface Grant extends Permission {
  origin: string;
  /** Given only because this tab pretends a position. */
  lentTo?: number;
}

const MOST = 1_000;

interface Window {
  /** Chrome's name for it, once it was asked. */
  id?: string | undefined;
  readonly grants: Map<string, Grant>;
}

const windows = new WeakMap<BrowserContext, Window>();

function windowOf(context: BrowserContext): Window {
  const known = windows.get(context) ?? { grants: new Map<string, Grant>() };
  windows.set(context, known);
  return known;
}

const grantsOf = (context: BrowserContext): Map<string, Grant> => windowOf(context).grants;

const keyOf = ({ origin, name }: Pick<Grant, 'origin' | 'name'>): string => `${name} ${origin}`;

export interface Permitted {
  origin: string;
  permissions: Permission[];
}

export async function setPermissions(
  tab: Host,
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

/** `https://example.com` of an address; undefined when the page belongs to no site. */
export function originOf(url: string): string | undefined {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  return /^https?:$/.test(protocol) ? origin : undefined;
}

/** What the caller has set for the site, if anything. */
export function stateOf(tab: Host, name: Permission['name'], origin: string): Permission['state'] | undefined {
  const grant = grantsOf(tab.page.context()).get(keyOf({ name, origin }));
  return grant?.lentTo === undefined ? grant?.state : undefined;
}

/** Lets the site know the position that the tab pretends, unless the caller has said whether it may. */
export async function lendPosition(tab: Host, url: string): Promise<void> {
  const origin = originOf(url);
  if (origin === undefined || grantsOf(tab.page.context()).has(keyOf({ name: 'geolocation', origin }))) return;
  await put(tab, { name: 'geolocation', state: 'granted', origin, lentTo: tab.id });
}

export async function takeBackPosition(tab: Host): Promise<void> {
  const grants = grantsOf(tab.page.context());
  for (const grant of [...grants.values()].filter(({ lentTo }) => lentTo === tab.id)) {
    grants.delete(keyOf(grant));
    await send(tab.page.context(), tab.main, { ...grant, state: 'prompt' });
  }
}

/** The window of a tab has been replaced by another one, in a browser that was started again. */
export async function renewPermissions(before: BrowserContext, after: BrowserContext, wire: CdpSession): Promise<void> {
  if (before === after || windows.has(after)) return;
  const grants = grantsOf(before);
  windows.set(after, { grants });
  for (const grant of grants.values()) await send(after, wire, grant);
}

async function put(tab: Host, grant: Grant): Promise<void> {
  const grants = grantsOf(tab.page.context());
  const key = keyOf(grant);
  if (grants.size >= MOST && !grants.has(key))
    throw new Failure('refused', `There are already ${MOST} permissions set.`, 'Use another session.');
  await send(tab.page.context(), tab.main, grant);
  grants.set(key, grant);
}

async function send(context: BrowserContext, wire: CdpSession, { origin, name, state }: Grant): Promise<void> {
  const window = windowOf(context);
  window.id ??= (await wire.send('Target.getTargetInfo')).targetInfo.browserContextId;
  const browser = await wireFor(context, wire);
  await browser.send('Browser.setPermission', {
    permission: { name },
    setting: state,
    origin,
    ...(window.id === undefined ? {} : { browserContextId: window.id }),
  });
}

const wires = new WeakMap<Browser, Promise<CdpSession>>();

/** Permissions end with the session that has set them, so it must not be that of a tab. */
async function wireFor(context: BrowserContext, page: CdpSession): Promise<CdpSession> {
  const browser = context.browser();
  if (!browser) return page;
  const wire = wires.get(browser) ?? browser.newBrowserCDPSession().then(session => new CdpSession('browser', session));
  wires.set(browser, wire);
  return wire;
}
