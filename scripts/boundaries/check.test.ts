import { expect, test } from 'vitest'
import { temporaryRepository } from '../lib/temporary-repository.ts'
import { checkBoundaries } from './check.ts'

const core = 'packages/core/src'

test('QA-4 an import against the layers is reported with both ends', async () => {
  using repository = temporaryRepository({
    [`${core}/domain/ids.ts`]: "export { loop } from '../run/loop.ts'\n",
    [`${core}/run/loop.ts`]: 'export const loop = 1\n',
  })
  const { violations } = await checkBoundaries(repository.root)
  expect(violations).toEqual([`layer-packages/core/src/domain: ${core}/domain/ids.ts → ${core}/run/loop.ts`])
})

test('QA-4 imports along the layers pass, each module counted', async () => {
  using repository = temporaryRepository({
    [`${core}/domain/ids.ts`]: 'export const id = 1\n',
    [`${core}/ports/store.ts`]: "export { id } from '../domain/ids.ts'\n",
    [`${core}/run/loop.ts`]: "export { id } from '../ports/store.ts'\n",
    'packages/db/src/rows.ts': "export { id } from '../../core/src/ports/store.ts'\n",
  })
  expect(await checkBoundaries(repository.root)).toEqual({ violations: [], unread: [], modules: 4 })
})

test('QA-4 a value imported from a types-only layer is reported, a type is not', async () => {
  using repository = temporaryRepository({
    'apps/server/src/router.ts': 'export type Router = 1\nexport const router = 1\n',
    'packages/client/src/value.ts': "export { router } from '../../../apps/server/src/router.ts'\n",
    'packages/client/src/type.ts': "export type { Router } from '../../../apps/server/src/router.ts'\n",
  })
  const { violations } = await checkBoundaries(repository.root)
  expect(violations).toEqual([
    'types-only-packages/client: packages/client/src/value.ts → apps/server/src/router.ts',
  ])
})

test('QA-4 core may not import node, and production code may not import test helpers', async () => {
  using repository = temporaryRepository({
    'packages/testing/src/clock.ts': 'export const clock = 1\n',
    'packages/testing/src/lab.ts': "import 'node:fs'\nimport '../../core/src/run/loop.ts'\n",
    [`${core}/run/loop.ts`]: "import 'node:fs'\nexport { clock } from '../../../testing/src/clock.ts'\n",
    [`${core}/run/loop.test.ts`]: "import 'node:fs'\nimport '../../../testing/src/clock.ts'\n",
    'apps/server/src/testing/lab.ts': 'export const lab = 1\n',
    'apps/server/src/open.ts': "export { lab } from './testing/lab.ts'\n",
  })
  const { violations } = await checkBoundaries(repository.root)
  expect(violations.toSorted()).toEqual([
    `core-has-no-node: ${core}/run/loop.ts → fs`,
    `layer-packages/core/src/run: ${core}/run/loop.ts → packages/testing/src/clock.ts`,
    `testing-is-for-tests: apps/server/src/open.ts → apps/server/src/testing/lab.ts`,
    `testing-is-for-tests: ${core}/run/loop.ts → packages/testing/src/clock.ts`,
  ])
})

test('QA-4 a cycle, an orphan and an import of nothing are reported', async () => {
  using repository = temporaryRepository({
    [`${core}/run/a.ts`]: "import './b.ts'\n",
    [`${core}/run/b.ts`]: "import './a.ts'\nimport './gone.ts'\n",
    [`${core}/run/alone.ts`]: 'export const alone = 1\n',
  })
  const { violations } = await checkBoundaries(repository.root)
  const names = violations.map((violation) => violation.split(':')[0])
  expect(new Set(names)).toEqual(new Set(['no-cycles', 'no-orphans', 'resolves']))
})

test('QA-4 folders that import each other are reported, though no file is in a circle', async () => {
  using repository = temporaryRepository({
    [`${core}/history/read/reads.ts`]: "export { perform } from '../apply/perform.ts'\n",
    [`${core}/history/apply/perform.ts`]: 'export const perform = 1\n',
    [`${core}/history/apply/rewind.ts`]: "export type { Window } from '../read/window.ts'\n",
    [`${core}/history/read/window.ts`]: 'export type Window = 1\n',
    [`${core}/history/apply/rewind.test.ts`]: "import '../read/reads.ts'\n",
  })
  const { violations } = await checkBoundaries(repository.root)
  expect(violations).toEqual([
    expect.stringMatching(/^folders-import-one-way: packages\/core\/src\/history: /),
  ])
})

test('QA-4 a package that is confined to one place is reported elsewhere, in tests only when they may not import it', async () => {
  const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0', main: 'index.js' })
  const imports = "import '@ai-sdk/openai'\nimport '@prisma/client'\n"
  using repository = temporaryRepository({
    '.gitignore': 'node_modules\n',
    'node_modules/@ai-sdk/openai/package.json': manifest('@ai-sdk/openai'),
    'node_modules/@ai-sdk/openai/index.js': '',
    'node_modules/@prisma/client/package.json': manifest('@prisma/client'),
    'node_modules/@prisma/client/index.js': '',
    [`${core}/run/loop.ts`]: imports,
    [`${core}/run/loop.test.ts`]: imports,
    'packages/db/src/client.ts': "import '@prisma/client'\n",
    [`${core}/model/providers/openai.ts`]: "import '@ai-sdk/openai'\n",
  })
  const { violations } = await checkBoundaries(repository.root)
  expect(violations.map((violation) => violation.split(' → ')[0]).toSorted()).toEqual([
    `prisma-only-in-db: ${core}/run/loop.test.ts`,
    `prisma-only-in-db: ${core}/run/loop.ts`,
    `providers-only-in-providers: ${core}/run/loop.ts`,
  ])
})
