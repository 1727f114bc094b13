import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type Test = NonNullable<TestProjectInlineConfiguration['test']>

/**
 * Files of a worker one after the other in one process, with what they import loaded once: for code that keeps nothing,
 * and tests that leave nothing.
 */
const together: Test = { isolate: false }
/** Each file in a context of its own, which takes less than a process of its own. */
const page: Test = { pool: 'vmThreads' }
/**
 * Each file in a process of its own: these measure, change the environment, or run a page and its server in one, whose
 * streams and errors do not pass between contexts.
 */
const apart: Test = {}

const projects: Record<string, Test> = {
  'packages/core': together,
  'packages/db': together,
  'packages/client': together,
  'packages/ui': { ...page, environment: 'happy-dom' },
  'apps/server': together,
  'apps/web': apart,
  bench: apart,
  scripts: apart,
}

export default defineConfig({
  test: {
    maxWorkers: '100%',
    retry: 0,
    // Ample, so that a busy machine fails nothing that would have passed: no test waits for time to go by.
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    projects: Object.entries(projects).map(([root, test]) => ({
      extends: true,
      root,
      test: {
        name: root,
        include: ['**/*.test.{ts,tsx}'],
        exclude: ['**/node_modules/**', '**/.next/**'],
        ...test,
      },
    })),
  },
})
