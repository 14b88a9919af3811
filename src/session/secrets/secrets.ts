// The secrets of one process: who may use which on what origin, and the values that no answer, file or log shows.
import type { Log } from '../../config/log.ts';
import type { CallSecrets, TextPart } from '../../engine/secrets.ts';
import { Failure, refusedBy } from '../../errors.ts';
import { type Handle, splitHandles } from '../../policy/secrets/handles.ts';
import { finderOf, finderOfCode } from '../../policy/secrets/secret-forms.ts';
import { type MaskedSecret, TextMask } from '../../policy/secrets/text-mask.ts';
import { readSeed, totpAt } from '../../policy/secrets/totp.ts';
import { isOwner } from '../callers.ts';
import type { Session } from '../session.ts';
import { hasSecrets, readSecrets, type SecretRow, storedValue } from './store.ts';

/** A value that is masked: for whoever may use it, and for everybody in the sessions where it was used. */
interface Known extends MaskedSecret {
  row: SecretRow;
  /** By name, for one that comes back, and by queue: sessions that show the same browser share it. */
  sessions: Set<unknown>;
  /** Codes are worth nothing some time after they have run out, in ms since 1970. */
  until: number;
}

/** Where a secret was used. */
type Place = Pick<Session, 'name' | 'queue'>;

/** Servers take a code for a while after its time. */
const CODE_MARGIN_MS = 120_000;

const mayUse = ({ callers }: SecretRow, caller: string): boolean => isOwner(caller) || callers.includes(caller);

export class Secrets {
  readonly #stateDir: string;
  /** By value: a changed secret has two. */
  readonly #known = new Map<string, Known>();
  #loaded: Promise<void> | undefined;
  #isLoaded = false;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** Pages may hold what was typed before the last start: those values are masked from the first answer on. */
  load(log: Log): Promise<void> | undefined {
    // Without any there is nothing to wait for.
    this.#isLoaded ||= !hasSecrets(this.#stateDir);
    if (this.#isLoaded) return undefined;
    this.#loaded ??= this.#load(log).catch(error => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #load(log: Log): Promise<void> {
    const rows = await readSecrets(this.#stateDir);
    const values = await Promise.all(rows.map(storedValue));
    for (const [at, row] of rows.entries()) {
      const value = values[at];
      if (value !== undefined) this.#know(row, value);
      else log.warn(`the keychain does not give secret ${row.name}: it is not masked until it is used`);
    }
    this.#isLoaded = true;
  }

  /** What one call may use, and what its answer must not show. The session is known later than the call. */
  of(caller: string, session: () => Place | undefined): CallSecrets {
    const secrets = this;
    return {
      resolve: (text, origin) => secrets.#resolve(text, origin, caller, session()),
      get mask() {
        const { name, queue } = session() ?? {};
        return secrets.#maskOf(({ row, sessions }) => mayUse(row, caller) || sessions.has(name) || sessions.has(queue));
      },
    };
  }

  /** For what is written for nobody in particular: the journal, the log. */
  get mask(): TextMask | undefined {
    return this.#maskOf(() => true);
  }

  #maskOf(isMeant: (one: Known) => boolean): TextMask | undefined {
    if (this.#known.size === 0) return undefined;
    const now = Date.now();
    for (const [value, { until }] of this.#known) if (until < now) this.#known.delete(value);
    const meant = [...this.#known.values()].filter(isMeant);
    return meant.length === 0 ? undefined : new TextMask(meant);
  }

  #know(row: SecretRow, value: string, code?: { until: number }): Known {
    const before = this.#known.get(value);
    const known: Known = {
      name: row.name,
      find: before?.find ?? (code ? finderOfCode(value) : finderOf(value)),
      row,
      sessions: before?.sessions ?? new Set(),
      until: code ? code.until + CODE_MARGIN_MS : Number.POSITIVE_INFINITY,
    };
    this.#known.set(value, known);
    return known;
  }

  async #resolve(text: string, origin: string, caller: string, session: Place | undefined): Promise<TextPart[]> {
    const rows = await readSecrets(this.#stateDir);
    const parts: TextPart[] = [];
    for (const part of splitHandles(text)) {
      if (typeof part === 'string') {
        parts.push({ text: part, kind: 'plain' });
        continue;
      }
      const own = rows.filter(row => mayUse(row, caller));
      const row = own.find(({ name, kind }) => name === part.name && kind === part.kind);
      if (!row) throw unknownSecret(part, own);
      if (!row.origins.includes(origin)) throw wrongOrigin(row, origin);
      parts.push({ text: await this.#use(row, session), kind: part.kind });
    }
    return parts;
  }

  async #use(row: SecretRow, session: Place | undefined): Promise<string> {
    const value = await storedValue(row);
    if (value === undefined)
      throw new Failure('file_error', `The system's keychain does not give secret "${row.name}".`, 'Unlock it.');
    const seed = row.kind === 'totp' ? readSeed(value) : undefined;
    const code = seed && totpAt(seed, Date.now());
    const given = code?.code ?? value;
    const known = this.#know(row, given, code);
    if (session) known.sessions.add(session.name).add(session.queue);
    return given;
  }
}

/** Names of others are not told. */
function unknownSecret({ kind, name }: Handle, own: readonly SecretRow[]): Failure {
  const names = own.map(row => `{{${row.kind}:${row.name}}}`);
  const hint = names.length === 0 ? 'You may use none.' : `You may use ${names.join(', ')}.`;
  return new Failure('bad_input', `There is no {{${kind}:${name}}} for you.`, hint);
}

const wrongOrigin = ({ name, origins }: SecretRow, origin: string): Failure =>
  refusedBy(
    `origins of secret ${name}`,
    `Secret "${name}" is not for ${origin === 'null' ? 'a page without an origin' : origin}: it goes to ${origins.join(', ')} only. Nothing was sent.`,
    'Use it on its own site; whoever runs this server can add an origin.',
  );
