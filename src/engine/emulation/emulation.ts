// Emulation: what one tab pretends (screen, user agent, place, time, network). Stays for later pages of the tab, also after a crash.
import type { Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { phrase, toolName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import { watchFrames } from './frame-sessions.ts';
import { renewPermissions } from './permissions.ts';
import { changes, type EmulationCommand, type EmulationSettings, type Media, NORMAL } from './settings.ts';

/** The tab, as its emulation needs it. */
interface Host {
  readonly id: number;
  readonly notes: string[];
  race<T>(limits: Limits, promise: Promise<T>): Promise<T>;
}

type Tell = (commands: readonly EmulationCommand[]) => Promise<void>;

export class Emulation {
  #settings = NORMAL;
  #page: Page | undefined;
  #wire: CdpSession | undefined;
  /** Tells the frames of other processes; there from the first thing on that they must know. */
  #inner: Promise<Tell> | undefined;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  get settings(): EmulationSettings {
    return this.#settings;
  }

  /** The tab has got a page, its first or another one: it is to pretend what the one before did. */
  async attachPage(page: Page, wire: CdpSession): Promise<void> {
    const before = this.#page;
    this.#page = page;
    this.#wire = wire;
    this.#inner = undefined;
    try {
      if (before) await renewPermissions(before.context(), page.context(), wire);
      await this.#carryOut(NORMAL, this.#settings);
    } catch (error) {
      if (!(error instanceof CdpError)) throw error;
      this.#settings = NORMAL;
      this.#host.notes.push(`What tab ${this.#host.id} emulated is lost: ${error.message}.`);
    }
  }

  /** All of it is taken, or nothing. */
  async change(part: Partial<EmulationSettings>, limits: Limits): Promise<void> {
    const from = this.#settings;
    const to = { ...from, ...part };
    try {
      await this.#host.race(limits, this.#carryOut(from, to));
    } catch (error) {
      const back = this.#carryOut(to, from).catch(() => undefined); // gone, or it keeps what it refused to change
      if (!(error instanceof CdpError)) throw error;
      await this.#host.race(limits, back);
      throw refused(error);
    }
  }

  async #carryOut(from: EmulationSettings, to: EmulationSettings): Promise<void> {
    const [page, wire] = [this.#page, this.#wire];
    if (!page || !wire) return;
    this.#settings = to;
    if (JSON.stringify(from.media) !== JSON.stringify(to.media)) await page.emulateMedia(mediaOf(to.media));
    const commands = changes(from, to);
    for (const { method, params } of commands) {
      if (this.#settings !== to) return; // it took too long, and is being taken back
      await wire.send(method, ...([params] as never));
    }
    const everywhere = commands.filter(command => command.everywhere);
    if (everywhere.length === 0) return;
    if (this.#inner) return (await this.#inner)(everywhere);
    this.#inner = watchFrames(wire, () => changes(NORMAL, this.#settings).filter(command => command.everywhere));
    await this.#inner;
  }
}

const mediaOf = ({ color_scheme, reduced_motion, forced_colors, media }: Media) => ({
  // No page can see "no preference" for colours: it sees what the system prefers.
  colorScheme: color_scheme === 'no-preference' ? null : color_scheme,
  reducedMotion: reduced_motion,
  forcedColors: forced_colors,
  media,
});

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
