import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { newestOf, openSubagentLab, type Plans, runs, task } from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'

const SPENDS = { prompt_tokens: 90, completion_tokens: 10 }
const PLANS: Plans = {
  Go: [
    { toolCalls: [task('Work')], usage: SPENDS },
    { text: 'Done', usage: SPENDS },
  ],
  Work: [
    { toolCalls: [runs('look')], usage: SPENDS },
    { toolCalls: [runs('ls')], usage: SPENDS },
    { text: 'Worked', usage: SPENDS },
  ],
}

test('SA-1 BU-1 a subagent spends from the run that waits for it, which ends once the budget is spent', async () => {
  await using lab = await openSubagentLab(PLANS, undefined, [], {}, { budget: { run: { max_tokens: 250 } } })
  const { sessionId } = await lab.turn('Go')
  const { message, calls } = await newestOf(lab.sessions, sessionId)
  expect(message?.metadata).toMatchObject({ finishReason: 'budget', budget: { scope: 'run', used: 300 } })
  expect(calls).toMatchObject([{ state: 'output-available' }])
})

test('SA-1 BU-1 what subagents spend counts for their root, also after a restart', async () => {
  const tables = createMemoryTables()
  await using killed = await openSubagentLab(PLANS, tables)
  const { sessionId } = await killed.say('Go')
  await expect.poll(() => killed.sessions.permissions.pending(sessionId)).toHaveLength(1)

  const limit = { budget: { run: { max_tokens: 350 } } }
  await using lab = await openSubagentLab(PLANS, tables, killed.made, {}, limit)
  await lab.core.recover()
  await lab.core.continueQueues()
  const [ask] = await lab.sessions.permissions.pending(sessionId)
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  const { message } = await newestOf(lab.sessions, sessionId)
  expect(message?.metadata).toMatchObject({ finishReason: 'budget', budget: { scope: 'run', used: 400 } })
  expect((await lab.ports.store.budgets.get(sessionId)).spent).toMatchObject({ tokens: 400, toolCalls: 3 })
})
