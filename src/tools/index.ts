// The table of tools: everything that is listed, documented and callable derives from it.
import * as batch from './browser/batch.ts';
import * as browserdata from './browser/browserdata.ts';
import * as network from './browser/network.ts';
import * as profiles from './browser/profiles.ts';
import * as sessions from './browser/sessions.ts';
import * as storage from './browser/storage.ts';
import * as tabs from './browser/tabs.ts';
import * as console from './page/console.ts';
import * as dialogs from './page/dialogs.ts';
import * as emulation from './page/emulation.ts';
import * as execution from './page/execution.ts';
import * as find from './page/find.ts';
import * as forms from './page/forms.ts';
import * as interaction from './page/interaction.ts';
import * as media from './page/media.ts';
import * as navigation from './page/navigation.ts';
import * as query from './page/query.ts';
import * as read from './page/read.ts';
import * as snapshot from './page/snapshot.ts';
import * as wait from './page/wait.ts';
import type { AnyTool } from './tool.ts';

/** The groups that --tools can name, and the files whose exports are their tools. */
const FILES = {
  snapshot: [snapshot, query, find, read],
  navigation: [navigation],
  interaction: [interaction],
  forms: [forms],
  wait: [wait],
  tabs: [tabs],
  storage: [storage],
  network: [network],
  media: [media],
  emulation: [emulation],
  execution: [execution, console, batch],
  data: [browserdata],
  dialogs: [dialogs],
  sessions: [sessions],
  profiles: [profiles],
};

export const GROUPS = Object.keys(FILES);

const all = Object.entries(FILES).flatMap(([group, files]) =>
  files.flatMap(file => Object.entries(file).map(([name, row]) => ({ name, group, ...row }) as AnyTool)),
);

export const TOOLS: AnyTool[] = all.filter(({ unlisted }) => !unlisted);

/** What only dialects use. */
export const UNLISTED_TOOLS: AnyTool[] = all.filter(({ unlisted }) => unlisted);
