import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

test('PF-10 the git status of a turn is read while the turn is being stored', async () => {
  const store = await createMemoryStore()
  const asked = Promise.withResolvers<void>()
  const runs: typeof store.runs = {
    ...store.runs,
    async begin(lease, trigger) {
      await asked.promise
      return await store.runs.begin(lease, trigger)
    },
  }
  const gitStatus = () => {
    asked.resolve()
    return Promise.resolve('## main')
  }
  await using lab = await openCoreLab({ store: { ...store, runs } }, { gitStatus })
  lab.provider.script(reply({ text: 'Hello' }))
  await lab.turn('hi')
  expect(JSON.stringify(lab.steps[0]?.body)).toContain('Git: ## main')
})
