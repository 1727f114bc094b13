import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test, vi } from 'vitest'
import { systemClock } from '../live/system-clock.ts'
import { createFairQueue } from './fair-queue.ts'

test('PF-3 starts pass one by one, in order, and other work of the event loop runs between them', async () => {
  const pass = createFairQueue(systemClock)
  const seen: string[] = []
  let over = false
  function stream() {
    seen.push('chunk')
    if (!over) setImmediate(stream)
  }
  const starts = ['first', 'second', 'third'].map((name) => pass().then(() => seen.push(name)))
  setImmediate(stream)
  await Promise.all(starts).finally(() => {
    over = true
  })
  expect(seen.filter((what) => what !== 'chunk')).toEqual(['first', 'second', 'third'])
  expect(seen.join(' ')).toMatch(/first( chunk)+ second( chunk)+ third/)
})

test('PF-3 one that starts alone passes in the next turn of the host, however many have passed before', async () => {
  let turns = 0
  const pass = createFairQueue({
    turn() {
      turns++
      return Promise.resolve()
    },
  })
  for (let start = 1; start <= 3; start++) {
    await pass()
    expect(turns).toBe(start)
  }
})

test('PF-3 a run waits for its turn before its last step is stored with its end', async () => {
  const held: (() => void)[] = []
  let isHeld = false
  let isStored = false
  const store = withRuns(await createMemoryStore(), (runs) => ({
    async record(write) {
      await runs.record(write)
      isHeld = !isStored
    },
    async end(...run) {
      isStored = true
      return await runs.end(...run)
    },
  }))
  const turn = () => (isHeld ? new Promise<void>((resolve) => held.push(resolve)) : systemClock.turn())
  await using lab = await openCoreLab({ store, clock: { ...systemClock, turn } })
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, runId } = await lab.say('Go')
  const ended = lab.chunksOf(sessionId, runId)
  // One of the log's next write, one of the end.
  await Promise.race([ended, vi.waitFor(() => expect(held).toHaveLength(2))])
  expect(isStored).toBe(false)
  isHeld = false
  for (const pass of held) pass()
  await ended
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[1]?.parts).toContainEqual({ type: 'text', text: 'Done', state: 'done' })
})
