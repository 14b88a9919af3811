// Changes: what has become different in a session, told to whoever watches it. Without a watcher they cost nothing.
import { EventEmitter } from 'node:events';
import type { TabEvents } from './page-events.ts';

/** What of a tab, or of its session, has changed. `page` is all that a snapshot or a screenshot shows. */
export type ChangeSubject = 'opened' | 'closed' | 'page' | 'console' | 'network' | 'downloads' | 'ended';

/** The tab, as far as it tells of its changes. */
interface Followed {
  readonly id: number;
  readonly events: EventEmitter<TabEvents>;
  readonly console: { added: () => void };
  readonly requests: { changed: () => void };
}

/** When a page has another look: it was left, it has come to rest, a frame of it has, or a tool has acted on it. */
const OF_PAGE = ['committed', 'within', 'domready', 'stopped', 'frameloaded', 'acted'] as const;

export class ChangeEvents extends EventEmitter<{ change: [subject: ChangeSubject, tabId?: number] }> {
  tell(subject: ChangeSubject, tabId?: number): void {
    this.emit('change', subject, tabId);
  }

  /** From now on tells what happens in a new tab. */
  follow(tab: Followed): void {
    for (const event of OF_PAGE) tab.events.on(event, () => this.tell('page', tab.id));
    tab.console.added = () => this.tell('console', tab.id);
    tab.requests.changed = () => this.tell('network', tab.id);
    this.tell('opened', tab.id);
  }
}
