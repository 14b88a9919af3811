// The emulation of one tab: screen, user agent, position, timezone, network. Holds for later pages of the tab, also after a crash.
import { CdpError } from '../../cdp/errors.ts';
import { Failure } from '../../errors.ts';
import { phrase, toolName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { type ChildSession, pageSession } from '../network/child-session.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Page } from '../page/page.ts';
import { NO_BODIES, watchFrames } from './frame-sessions.ts';
import { renewPermissions } from './permissions.ts';
import { changes, type EmulationSettings, isOfScreen, NORMAL } from './settings.ts';

/** The tab, as its emulation needs it. */
interface EmulatedTab {
  readonly id: number;
  readonly notes: string[];
  readonly main: CdpSession;
  race<T>(limits: Limits, promise: Promise<T>): Promise<T>;
}

/** What slows a page down. Chrome keeps one value for all that show the page, the last that was set, until whoever set it detaches. */
type Throttling = Pick<EmulationSettings, 'offline' | 'network' | 'cpu'>;

const throttlingOf = ({ offline, network, cpu }: EmulationSettings): Throttling => ({ offline, network, cpu });

const throttledPages = new WeakMap<Page, { throttling: Throttling; by: Emulation }>();

export class Emulation {
  #settings = NORMAL;
  #page: Page | undefined;
  /** Of its own, opened with the first setting: what is set there lies over what the page has from its browser. */
  #session: Promise<ChildSession> | undefined;
  /** Applies commands to out-of-process frames; there as soon as a setting concerns them. */
  #applyToFrames: ReturnType<typeof watchFrames> | undefined;

  constructor(readonly tab: EmulatedTab) {}

  get settings(): EmulationSettings {
    return { ...this.#settings, ...this.#throttling };
  }

  get #throttling(): Throttling {
    return (this.#page && throttledPages.get(this.#page)?.throttling) ?? throttlingOf(NORMAL);
  }

  /** The tab detaches from its page, which other tabs may show as well: Chrome then ends what slows it down, whoever set it. */
  async leave(): Promise<void> {
    const held = this.#page && throttledPages.get(this.#page);
    if (held?.by === this) this.#forget();
    const session = await this.#session?.catch(() => undefined); // it was not opened
    await session?.detach().catch(() => undefined); // it has ended with its page
    if (held && held.by !== this) await held.by.#throttleAgain();
  }

  #forget(): void {
    if (this.#page) throttledPages.delete(this.#page);
  }

  async #throttleAgain(): Promise<void> {
    try {
      await this.#apply({ ...this.settings, ...throttlingOf(NORMAL) }, this.settings);
    } catch (error) {
      // The page has gone.
      if (!(error instanceof CdpError)) throw error;
    }
  }

  /** Applies the settings to a new page of the tab. */
  async attachPage(page: Page): Promise<void> {
    const before = this.#page;
    this.#page = page;
    this.#session = this.#applyToFrames = undefined;
    try {
      if (before) await renewPermissions(before.context(), page.context());
      const shared = throttledPages.get(page)?.throttling;
      await this.#apply({ ...NORMAL, ...shared }, { ...this.#settings, ...shared });
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      this.#settings = NORMAL;
      this.#forget();
      this.tab.notes.push(`What tab ${this.tab.id} emulated is lost: ${error.message}.`);
    }
  }

  /** Changes all of these settings, or none. */
  async change(part: Partial<EmulationSettings>, limits: Limits): Promise<void> {
    const from = this.settings;
    const to = { ...from, ...part };
    try {
      await this.tab.race(limits, this.#apply(from, to));
    } catch (error) {
      const back = this.#apply(to, from).catch(() => undefined); // the page has gone, or keeps the setting that it refused to change
      if (!(error instanceof CdpError)) throw error;
      await this.tab.race(limits, back);
      throw refused(error);
    }
  }

  async #apply(from: EmulationSettings, to: EmulationSettings): Promise<void> {
    const page = this.#page;
    if (!page) return;
    this.#settings = to;
    if (JSON.stringify(throttlingOf(from)) !== JSON.stringify(throttlingOf(to)))
      throttledPages.set(page, { throttling: throttlingOf(to), by: this });
    const commands = changes(from, to);
    if (commands.length === 0) return;
    this.#session ??= openSession(page);
    const session = await this.#session;
    for (const command of commands) {
      if (this.#settings !== to) return; // the change took too long and is being undone
      const { method, params } = command;
      if (isOfScreen(command) && !to.screen) await page.resetScreen(this.tab.main);
      else await (isOfScreen(command) ? this.tab.main : session).send(method, ...([params] as never));
    }
    const forFrames = commands.filter(command => command.forFrames);
    if (forFrames.length === 0) return;
    if (this.#applyToFrames) return (await this.#applyToFrames)(forFrames);
    const settings = () => changes(NORMAL, this.#settings).filter(command => command.forFrames);
    this.#applyToFrames = watchFrames(session, settings);
    await this.#applyToFrames;
  }
}

/** Chrome slows down the requests only of a session that follows them. */
async function openSession(page: Page): Promise<ChildSession> {
  const session = await pageSession({ page });
  await session.send('Network.enable', NO_BODIES);
  return session;
}

function refused(error: CdpError): Failure {
  const [what, option] = /locale/i.test(error.method) ? ['locale', '--locale'] : ['timezone', '--timezone'];
  if (/already in effect/i.test(error.message))
    return new Failure(
      'refused',
      `Chrome keeps the ${what} that is already set: by the option ${option}, or by a tab that opened this one and shares its process.`,
      phrase`Start the server without ${option}, or use a tab of your own (${toolName('tab_new')}).`,
    );
  return new Failure('bad_input', `Chrome refused it: ${error.message}.`, 'Give another value.');
}
