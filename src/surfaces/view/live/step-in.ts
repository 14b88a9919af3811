// A person steps in: takes and hands back leases, and what they do on a tab meanwhile. Nothing of it is logged.
import { setPermissions } from '../../../engine/emulation/permissions.ts';
import { tryFor, unlimited } from '../../../engine/limits.ts';
import { Controls } from '../../../engine/live/controls.ts';
import { InputSender, type LiveInput } from '../../../engine/live/person-input.ts';
import type { Tab } from '../../../engine/tab/tab.ts';
import { Failure } from '../../../errors.ts';
import type { Session } from '../../../session/session.ts';
import type { ClientMessage, Control } from '../protocol.ts';
import type { Uploads } from '../uploads.ts';

/** How long a page may take to let a permission be set. */
const PERMIT_MS = 2_000;

/** A tab that somebody looks at closely. */
export class Panel {
  readonly #session: Session;
  readonly #tab: Tab;
  readonly #controls: Controls;
  readonly #input: InputSender;
  readonly #topOf: () => number;
  /** What is done is done in its order. */
  #queue = Promise.resolve();
  /** The press became a control, so its end is none either. */
  #isSwallowed = false;
  readonly #taken = () => this.#controls.watchChoosers(true);
  readonly #ended = () => {
    this.#controls.watchChoosers(false);
    // After what was done before.
    this.do({ kind: 'release' });
  };

  /** `topOf`: how far the page begins below the top of its picture. */
  constructor(session: Session, tab: Tab, changed: () => void, topOf: () => number) {
    this.#session = session;
    this.#tab = tab;
    this.#controls = new Controls(tab, changed);
    this.#input = new InputSender(tab);
    this.#topOf = topOf;
    session.lease.on('taken', this.#taken).on('ended', this.#ended);
    if (session.lease.state) this.#taken();
  }

  get controls(): Control[] {
    return this.#controls.list as Control[];
  }

  end(): void {
    this.#session.lease.off('taken', this.#taken).off('ended', this.#ended);
    this.#controls.end();
  }

  do(input: LiveInput): void {
    this.#queue = this.#queue.then(() => this.#do(input)).catch(() => undefined); // the page has gone
  }

  answer(id: string, value: Extract<ClientMessage, { type: 'answer' }>['value'], uploads: Uploads, caller: string) {
    const given = value.kind === 'file' ? { kind: value.kind, paths: uploads.paths(value.files, caller) } : value;
    return this.#controls.answer(id, given);
  }

  async permit({ permission: name, allow }: Extract<ClientMessage, { type: 'permit' }>): Promise<void> {
    const permissions = [{ name, state: allow ? ('granted' as const) : ('denied' as const) }];
    const done = await tryFor(unlimited(), PERMIT_MS, limits => setPermissions(this.#tab, { permissions }, limits));
    if (!done)
      throw new Failure('bad_input', 'This page has no site whose permission could be set.', 'Open the site first.');
  }

  async #do(given: LiveInput): Promise<void> {
    const input = 'y' in given ? { ...given, y: given.y - this.#topOf() } : given;
    if (input.kind === 'mouse' && input.button === 'left') {
      if (input.action === 'down') this.#isSwallowed = !this.#tab.dialog && (await this.#controls.takesPress(input));
      if (this.#isSwallowed && input.action !== 'move') return;
    }
    this.#input.send(input);
  }
}
