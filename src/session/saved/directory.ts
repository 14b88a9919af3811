// Directory: what is kept of named sessions, for the next start. One interface; on one machine it is a folder of files.
import type { SavedState, SavedTab } from '../../engine/storage/session-state.ts';

export interface KeptFacts {
  name: string;
  owner: string;
  shared: boolean;
  /** Ms since 1970. */
  createdAt: number;
  lastActivity: number;
}

export interface Kept extends KeptFacts {
  state: SavedState;
}

export interface KeptRow extends KeptFacts {
  tabs: Omit<SavedTab, 'session'>[];
}

export interface Directory {
  /** Those that can be read. */
  list(): Promise<KeptRow[]>;
  /** Undefined when nothing is kept under that name. Rejects when it cannot be read: then it is out of the way. */
  read(name: string): Promise<Kept | undefined>;
  /** Takes the place of what was kept under that name, whole or not at all. */
  write(kept: Kept): Promise<void>;
  /** False when nothing was kept. */
  remove(name: string): Promise<boolean>;
}
