import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { StoredMessage } from '../domain/message/message.ts'
import { systemClock } from '../live/system-clock.ts'

const metadata = { schemaVersion: 1, createdAt: 0 } as const

/** A turn after `count` earlier messages: how many of them are looked at between two turns for other work. */
async function lookedAt(count: number): Promise<{ sent: number; most: number; turns: number }> {
  let turns = 0
  let asked: number | null = null
  const since = new Set<string>()
  let most = 0
  const store = await createMemoryStore()
  const { visible } = store.messages
  const watched = Array.from({ length: count }, (_, at): StoredMessage => {
    const role = at % 2 === 0 ? 'user' : 'assistant'
    const data = { type: 'text', text: `Message ${at}` } as const
    const parts = [{ id: `p${at}`, index: 0, data, prunedAt: null }]
    const message = {
      id: `m${at}`,
      role,
      metadata,
      parts,
      hiddenAt: null,
      seq: 0,
    } as unknown as StoredMessage
    return Object.defineProperty(message, 'parts', {
      get() {
        since.add(message.id)
        most = Math.max(most, since.size)
        return parts
      },
    })
  })
  store.messages.visible = async (sessionId) => [...watched, ...(await visible(sessionId))]
  const clock = {
    ...systemClock,
    // Only the number of messages counts here, whatever the machine takes for them.
    elapsed: () => 0,
    async turn() {
      turns += 1
      await systemClock.turn()
      since.clear()
    },
  }
  await using lab = await openCoreLab({ store, clock })
  lab.provider.intercept(({ body }) => {
    if (body['stream'] === true) asked = turns
    return body['stream'] === true ? reply({ text: 'Yes.' }) : null
  })
  await lab.turn('Go on?')
  const messages = lab.steps[0]?.body['messages']
  return { sent: Array.isArray(messages) ? messages.length : 0, most, turns: asked ?? -1 }
}

test('SX-10 a turn after a thousand messages looks at no more than 250 of them between two turns for other work', async () => {
  const { sent, most, turns } = await lookedAt(1_000)
  expect(sent).toBeGreaterThanOrEqual(1_001)
  expect(most).toBe(250)
  expect(turns).toBeGreaterThan(8)
})

test('SX-10 a conversation of a hundred messages takes no turn more before its provider is asked than one of one message', async () => {
  const [one, many] = [await lookedAt(1), await lookedAt(100)]
  expect(many.turns).toBe(one.turns)
})
