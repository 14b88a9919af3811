// Events of what changes in a session, for whoever watches it. Without a watcher they cost nothing.
import { EventEmitter } from 'node:events';
import type { Tab } from './tab.ts';

/** What of a tab, or of its session, has changed. `page` is all that a snapshot or a screenshot shows. */
export type ChangeSubject = 'opened' | 'closed' | 'page' | 'console' | 'network' | 'downloads' | 'ended';

/** After these a page may look different: it was left, it or a frame has loaded, or a tool has acted on it. */
const OF_PAGE = ['committed', 'within', 'domready', 'stopped', 'frameloaded', 'acted'] as const;

export class ChangeEvents extends EventEmitter<{ change: [subject: ChangeSubject, tabId?: number] }> {
  notify(subject: ChangeSubject, tabId?: number): void {
    this.emit('change', subject, tabId);
  }

  /** Announces a new tab, and from now on what changes in it. */
  follow(tab: Tab): void {
    for (const event of OF_PAGE) tab.events.on(event, () => this.notify('page', tab.id));
    tab.console.added = () => this.notify('console', tab.id);
    tab.requests.changed = () => this.notify('network', tab.id);
    this.notify('opened', tab.id);
  }
}
