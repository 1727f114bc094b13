import { defineConfig } from 'vitest/config'

const environments = {
  'packages/core': 'node',
  'packages/db': 'node',
  'packages/client': 'node',
  'packages/ui': 'happy-dom',
  'apps/server': 'node',
  'apps/web': 'node',
  bench: 'node',
  scripts: 'node',
}

export default defineConfig({
  test: {
    maxWorkers: '100%',
    retry: 0,
    // Ample, so that a busy machine fails nothing that would have passed: no test waits for time to go by.
    testTimeout: 30_000,
    projects: Object.entries(environments).map(([root, environment]) => ({
      extends: true,
      root,
      test: {
        name: root,
        environment,
        include: ['**/*.test.{ts,tsx}'],
        exclude: ['**/node_modules/**', '**/.next/**'],
      },
    })),
  },
})
