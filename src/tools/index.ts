// The table of tools: everything that is listed, documented and callable derives from it.
import * as dialogs from './dialogs.ts';
import * as execution from './execution.ts';
import * as forms from './forms.ts';
import * as interaction from './interaction.ts';
import * as media from './media.ts';
import * as navigation from './navigation.ts';
import * as snapshot from './snapshot.ts';
import * as tabs from './tabs.ts';
import type { AnyTool } from './tool.ts';
import * as wait from './wait.ts';

const subjects = [snapshot, navigation, interaction, forms, wait, tabs, media, execution, dialogs];

export const TOOLS: AnyTool[] = subjects.flatMap(subject => Object.values(subject) as AnyTool[]);
