import { openHistoryLab } from '@palimpsest/testing/history-lab.ts'
import { LAB_MODEL } from '@palimpsest/testing/lab-models.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import {
  asks,
  compaction,
  lease,
  replyWrite,
  turn,
  userMessage,
} from '@palimpsest/testing/store-contract/fixtures.ts'
import { expect, test } from 'vitest'
import type { ChatPart } from '../domain/message/message.ts'
import { HOST_RESTARTED } from './recovery.ts'

const SESSION = 'ses_dead'

const OPEN: ChatPart[] = [
  { type: 'step-start' },
  { type: 'reasoning', text: 'Hm', state: 'done' },
  { type: 'text', text: 'Half a sen', state: 'streaming' },
  { type: 'tool-read', toolCallId: 'a', state: 'input-available', input: { path: 'x' } },
]

/** Tables of a host that died in a run during which it had compacted the session so many times. */
async function deadAfterCompactions(count: number) {
  const tables = createMemoryTables()
  const dead = await createMemoryStore(tables)
  const base = { agent: 'assistant', workspaceRoot: null, parentId: null, parentMessageId: null }
  await dead.sessions.create({ ...base, id: SESSION, title: 'Old', model: LAB_MODEL, metadata: {}, at: 1 })
  await turn(dead, SESSION, 'm1')
  const run = lease(SESSION, 1)
  const question = userMessage(SESSION, 'm2', 'Go')
  await dead.runs.begin(
    run,
    asks({ ...question, metadata: { ...question.metadata, model: LAB_MODEL, runId: run.runId } }),
  )
  await dead.runs.record(replyWrite(run, 'r', OPEN))
  for (let place = 0; place < count; place++) {
    const change = compaction(SESSION, `op_${place}`, { lastSeq: 4 + place, to: 2 })
    await dead.history.apply(change, run)
  }
  return { store: await createMemoryStore(tables) }
}

test.for([1, 3])('RV-2 a reply that %s compactions came into is closed after a restart', async (count) => {
  await using lab = await openHistoryLab(await deadAfterCompactions(count))
  expect(await lab.core.recover()).toBe(1)
  const left = (await lab.everything(SESSION)).find(({ id }) => id === 'r')
  expect(left?.metadata).toMatchObject({ finishReason: 'interrupted', usage: { unknown: true } })
  expect(left?.parts).toMatchObject([
    { type: 'step-start' },
    { text: 'Hm', state: 'done' },
    { text: 'Half a sen', state: 'done' },
    { toolCallId: 'a', state: 'output-error', errorText: HOST_RESTARTED },
  ])
  lab.provider.script(reply({ text: 'On we go' }))
  const { runId } = await lab.sessions.continue(SESSION)
  await lab.chunksOf(SESSION, runId)
  expect((await lab.visible(SESSION)).at(-1)?.parts.at(-1)).toMatchObject({ text: 'On we go' })
})

test('RV-1 a run that cannot be closed keeps no other from being closed', async () => {
  const { store } = await deadAfterCompactions(1)
  const orphans = () =>
    store.runs.orphans(9_000).then((found) => [
      ...found.map(({ lease }) => ({
        lease: { ...lease, sessionId: 'ses_gone' },
        message: null,
      })),
      ...found,
    ])
  await using lab = await openHistoryLab({ store: { ...store, runs: { ...store.runs, orphans } } })
  await lab.core.recover()
  const left = (await lab.everything(SESSION)).find(({ id }) => id === 'r')
  expect(left?.metadata?.finishReason).toBe('interrupted')
})

test('RV-5 a finished reply is not continued, also after a compaction', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn('One '.repeat(300))
  for (const text of ['Two', 'Three', 'Four']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  const before = lab.steps.length
  await expect(lab.sessions.continue(sessionId)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(lab.steps).toHaveLength(before)
})

test('RV-5 a reply that broke off before a compaction is continued after it', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn('One '.repeat(300))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  lab.provider.script(reply({ text: ['Half'], ending: 'stall' }))
  const { runId } = await lab.say('Four', sessionId)
  for await (const _ of lab.sessions.stream({ sessionId, runId })) break
  await lab.sessions.abort(sessionId)
  await lab.sessions.history.compact(sessionId)
  lab.provider.script(reply({ text: 'The rest' }))
  const next = await lab.sessions.continue(sessionId)
  await lab.chunksOf(sessionId, next.runId)
  expect((await lab.visible(sessionId)).at(-1)?.parts.at(-1)).toMatchObject({ text: 'The rest' })
  expect(JSON.stringify(lab.steps.at(-1)?.body['messages'])).toContain('cut short')
})
