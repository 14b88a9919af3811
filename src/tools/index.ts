// The table of tools: everything that is listed, documented and callable derives from it.
import * as batch from './batch.ts';
import * as browserdata from './browserdata.ts';
import * as console from './console.ts';
import * as dialogs from './dialogs.ts';
import * as emulation from './emulation.ts';
import * as execution from './execution.ts';
import * as find from './find.ts';
import * as forms from './forms.ts';
import * as interaction from './interaction.ts';
import * as media from './media.ts';
import * as navigation from './navigation.ts';
import * as network from './network.ts';
import * as profiles from './profiles.ts';
import * as query from './query.ts';
import * as read from './read.ts';
import * as sessions from './sessions.ts';
import * as snapshot from './snapshot.ts';
import * as storage from './storage.ts';
import * as tabs from './tabs.ts';
import type { AnyTool } from './tool.ts';
import * as wait from './wait.ts';

const subjects = [
  snapshot,
  query,
  find,
  read,
  navigation,
  interaction,
  forms,
  wait,
  tabs,
  storage,
  network,
  media,
  emulation,
  execution,
  console,
  batch,
  browserdata,
  dialogs,
  sessions,
  profiles,
];

const all = subjects.flatMap(subject => Object.values(subject) as AnyTool[]);

export const TOOLS: AnyTool[] = all.filter(({ unlisted }) => !unlisted);

/** What only dialects use. */
export const UNLISTED_TOOLS: AnyTool[] = all.filter(({ unlisted }) => unlisted);
