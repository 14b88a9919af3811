// All jobs: those that the tests do, and all that `npm run widgets` does.
import type { Jobs } from '../job.ts';
import { DATA_JOBS } from './data.ts';
import { DRAWING_JOBS } from './drawings.ts';
import { EDITOR_JOBS } from './editors.ts';
import { FIELD_JOBS } from './fields.ts';
import { FRAMEWORK_JOBS, LARGE_FRAMEWORK_JOBS } from './frameworks.ts';
import { KIT_JOBS } from './kits.ts';
import { LIST_JOBS, SMALL_LIST_JOBS } from './lists.ts';
import { REACT_KIT_JOBS } from './react-kits.ts';

export const SMALL_JOBS: Jobs = { ...FRAMEWORK_JOBS, ...SMALL_LIST_JOBS };

export const JOBS: Jobs = {
  ...SMALL_JOBS,
  ...LARGE_FRAMEWORK_JOBS,
  ...REACT_KIT_JOBS,
  ...KIT_JOBS,
  ...LIST_JOBS,
  ...FIELD_JOBS,
  ...DATA_JOBS,
  ...EDITOR_JOBS,
  ...DRAWING_JOBS,
};
