import { openCoreLab, silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { deltas, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import { LEASE_MS } from '../domain/index.ts'
import type { ChatChunk } from '../domain/message/message.ts'
import { recoverRuns } from '../state/recovery.ts'

const isEnd = ({ type }: ChatChunk) => type === 'finish' || type === 'abort' || type === 'error'

/** A run whose provider holds its reply back after 10 deltas, and a second host on the same data. */
async function openHeldRun() {
  const clock = createFakeClock()
  const tables = createMemoryTables()
  const state = { renews: true }
  const store = withRuns(await createMemoryStore(tables), (runs) => ({
    renew: (...args) => (state.renews ? runs.renew(...args) : Promise.reject(new Error('No answer'))),
  }))
  const lab = await openCoreLab({ clock, store })
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: deltas(20, 'a '), hold: { before: 10, until: gate.promise } }))
  const { id } = await lab.sessions.create({ title: 'Held' })
  const { sessionId, runId } = await lab.say('Go', id)
  const seen: ChatChunk[] = []
  const shown = Promise.withResolvers<void>()
  const ended = (async () => {
    for await (const chunks of lab.sessions.stream({ sessionId, runId })) {
      seen.push(...chunks)
      if (seen.some(({ type }) => type === 'text-delta')) shown.resolve()
    }
  })()
  await shown.promise
  const stored = async () => (await store.messages.page({ sessionId, limit: 5, hidden: true })).items.at(-1)
  return { clock, tables, state, store, lab, gate, sessionId, runId, seen, ended, stored }
}

test('DA-17 LS-8 a run whose claim another host took over writes nothing more, ends by name, and its viewers with it', async () => {
  const { clock, tables, store, lab, gate, sessionId, runId, seen, ended, stored } = await openHeldRun()
  await using _lab = lab
  const other = await createMemoryStore(tables)
  expect(await recoverRuns({ store: other, clock, logger: silentLogger })).toBe(1)
  const [taken, log] = [await stored(), await store.runs.log(runId)]
  expect(taken?.metadata.finishReason).toBe('interrupted')
  gate.resolve()
  await ended
  expect(seen.filter(isEnd)).toEqual([{ type: 'error', errorText: 'This run no longer holds its session.' }])
  const status = { state: 'error', code: 'SESSION_NOT_RUNNING' }
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject(status)
  expect(await stored()).toEqual(taken)
  expect(await store.runs.log(runId)).toEqual(log)
  expect(log.flatMap(({ chunks }) => chunks).filter(isEnd)).toHaveLength(1)
})

test('DA-17 a host that cannot renew a claim stops the run before the claim expires, and ends it by name', async () => {
  const { clock, state, lab, sessionId, runId, seen, ended, stored, store } = await openHeldRun()
  await using _lab = lab
  state.renews = false
  for (let ms = 0; ms < LEASE_MS - 2_500; ms += 500) {
    clock.advance(500)
    await clock.turn()
  }
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'busy' })
  clock.advance(500)
  await ended
  expect(seen.filter(isEnd)).toMatchObject([
    { type: 'error', errorText: expect.stringContaining('renewed in time') },
  ])
  expect((await lab.provider.closed(0)).by).toBe('client')
  expect(await stored()).toMatchObject({
    metadata: { finishReason: 'error', error: { code: 'STORE_ERROR' } },
  })
  expect((await store.runs.log(runId)).flatMap(({ chunks }) => chunks).filter(isEnd)).toHaveLength(1)
})
