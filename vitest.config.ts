import { defineConfig } from 'vitest/config'

const folders = [
  'packages/core',
  'packages/db',
  'packages/client',
  'packages/ui',
  'apps/server',
  'apps/web',
  'bench',
  'scripts',
]

export default defineConfig({
  test: {
    maxWorkers: '100%',
    retry: 0,
    passWithNoTests: false,
    projects: folders.map((root) => ({
      extends: true,
      root,
      test: { name: root, include: ['**/*.test.{ts,tsx}'], exclude: ['**/node_modules/**', '**/.next/**'] },
    })),
  },
})
