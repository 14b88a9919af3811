// How the tests run. The files of a project share their worker processes: what they import, and the browser, is paid for once.
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { type Project, projectOf, testFiles } from './test/projects.ts';

const ORDER: Project[] = ['browser', 'bridge', 'alone', 'unit'];
const files = testFiles().map(path => ({ path, project: projectOf(path) }));

/** Project by project, so that a worker is used again; within one in the usual order, which is the longest first. */
class ProjectByProject extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    return ORDER.flatMap(name => sorted.filter(({ project }) => project.name === name));
  }
}

/** What holds for all tests. */
export const usual = {
  pool: 'forks',
  // Real browsers: few of them at once. Much of a test is waiting for Chrome, so two cores are busy with three.
  maxWorkers: 3,
  testTimeout: 30_000,
  hookTimeout: 30_000,
  teardownTimeout: 10_000,
  // The default is one second, which a busy machine may need for the first look.
  expect: { poll: { timeout: 15_000 } },
} as const;

export default defineConfig({
  test: {
    ...usual,
    sequence: { sequencer: ProjectByProject },
    projects: ORDER.map(name => ({
      extends: true,
      test: {
        name,
        include: files.filter(({ project }) => project === name).map(({ path }) => path),
        isolate: name === 'alone',
      },
    })),
  },
});
