// The emulation of one tab: screen, user agent, position, timezone, network. Holds for later pages of the tab, also after a crash.
import { Failure } from '../../errors.ts';
import { phrase, toolName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import { watchFrames } from './frame-sessions.ts';
import { type PermissionTab, renewPermissions } from './permissions.ts';
import { changes, type EmulationSettings, NORMAL } from './settings.ts';

/** The tab, as its emulation needs it. */
interface EmulatedTab extends PermissionTab {
  readonly notes: string[];
}

/** What slows a page down. Chrome keeps one value for all that show the page, the last that was set, until whoever set it detaches. */
type Throttling = Pick<EmulationSettings, 'offline' | 'network' | 'cpu'>;

const throttlingOf = ({ offline, network, cpu }: EmulationSettings): Throttling => ({ offline, network, cpu });

const throttledPages = new WeakMap<object, { throttling: Throttling; by: Emulation }>();

export class Emulation {
  #settings = NORMAL;
  #page: object | undefined;
  #context: object | undefined;
  #cdp: CdpSession | undefined;
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
  async leave(detached: Promise<void>): Promise<void> {
    const held = this.#page && throttledPages.get(this.#page);
    if (held?.by === this) this.#forget();
    await detached;
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
  async attachPage(page: object, cdp: CdpSession): Promise<void> {
    const before = this.#context;
    this.#page = page;
    this.#context = this.tab.page.context();
    this.#cdp = cdp;
    this.#applyToFrames = undefined;
    try {
      if (before) await renewPermissions(before, this.tab);
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
    const [page, cdp] = [this.#page, this.#cdp];
    if (!page || !cdp) return;
    this.#settings = to;
    if (JSON.stringify(throttlingOf(from)) !== JSON.stringify(throttlingOf(to)))
      throttledPages.set(page, { throttling: throttlingOf(to), by: this });
    const commands = changes(from, to);
    for (const { method, params } of commands) {
      if (this.#settings !== to) return; // the change took too long and is being undone
      await cdp.send(method, ...([params] as never));
    }
    const forFrames = commands.filter(command => command.forFrames);
    if (forFrames.length === 0) return;
    if (this.#applyToFrames) return (await this.#applyToFrames)(forFrames);
    this.#applyToFrames = watchFrames(cdp, () => changes(NORMAL, this.#settings).filter(command => command.forFrames));
    await this.#applyToFrames;
  }
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
