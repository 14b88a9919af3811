// What rules keep pages from reaching, into the journal and the log: whose page it was, where it wanted to go, and which rule it was.
import type { Log } from '../config/log.ts';
import type { Browser } from '../engine/browser/browser.ts';
import { redact } from '../policy/mask.ts';
import { type Journal, now } from './journal.ts';
import type { Session } from './session.ts';

interface Surroundings {
  readonly chrome: Browser;
  readonly journal: Journal;
  readonly log: Log;
  list(): Session[];
}

/** The caller of a page whose session is not known: of a worker, or of a popup that was stopped before it was a tab. */
const NOBODY = 'unknown';

export function recordRefusals({ chrome, journal, log, list }: Surroundings): void {
  chrome.events.on('refused', ({ url: given, rule, session: name, frame }) => {
    const url = redact(given);
    // What Chrome itself wanted is nobody's call.
    if (name === undefined && frame === undefined) return log.debug(`the browser may not reach ${url}: rule "${rule}"`);
    const sessions = list();
    const found = sessions.find(one => one.name === name || (frame !== undefined && shows(one, frame)));
    // Nobody else has a page.
    const session = found ?? (name === undefined && sessions.length === 1 ? sessions[0] : undefined);
    log.info(`${session?.name ?? name ?? 'a page'} may not reach ${url}: rule "${rule}"`);
    journal.write({
      time: now(),
      caller: session?.owner ?? NOBODY,
      ...(session || name !== undefined ? { session: session?.name ?? name ?? '' } : {}),
      door: 'egress',
      what: url,
      rule,
    });
  });
}

const shows = ({ context }: Session, frame: string): boolean =>
  [...context.tabs.values()].some(({ main }) => main?.loaders.has(frame) || main?.attached.has(frame));
