import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

type Test = NonNullable<TestProjectInlineConfiguration['test']>

/**
 * Files of a worker one after the other in one process, with what they import loaded once: for code that keeps nothing,
 * and tests that leave nothing. Pages too that run with their server in one process: streams and errors of the two do
 * not pass between contexts.
 */
const together: Test = { isolate: false }
/** Each file in a context of its own, which takes less than a process of its own. */
const page: Test = { pool: 'vmThreads' }
/**
 * Each file in a process of its own: these measure, or change the environment.
 */
const apart: Test = {}
/** What is built of the server, for tests that start it. */
const starting: Test = {
  globalSetup: fileURLToPath(import.meta.resolve('./apps/server/src/testing/built-server.ts')),
}

/** Options by project name; a project without a name of its own is named after its folder. */
const projects: Record<string, Test> = {
  'packages/core': together,
  'packages/testing': together,
  'packages/db': together,
  'packages/client': together,
  'packages/ui': { ...page, environment: 'happy-dom' },
  'apps/server': { ...together, ...starting },
  'apps/web': { ...together, include: ['**/*.test.ts'] },
  'apps/web pages': { ...together, root: 'apps/web', include: ['**/*.test.tsx'] },
  bench: apart,
  scripts: { ...apart, ...starting },
}

export default defineConfig({
  test: {
    // One more than the cores: many tests wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    retry: 0,
    setupFiles: [fileURLToPath(import.meta.resolve('./vitest.properties.ts'))],
    // Ample, so that a busy machine fails nothing that would have passed: no test waits for time to go by.
    testTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    projects: Object.entries(projects).map(([name, { root = name, ...test }]) => ({
      extends: true,
      root,
      test: {
        name,
        include: ['**/*.test.{ts,tsx}'],
        exclude: ['**/node_modules/**', '**/.next/**'],
        ...test,
      },
    })),
  },
})
