import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AppError } from '../domain/errors.ts'
import type { ChatMessage } from '../domain/message/message.ts'

const textOf = ({ parts }: ChatMessage) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

const words = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

/** A session whose run stalls while `texts` wait; later runs are answered. */
async function busyLab(texts: readonly string[]) {
  const lab = await openCoreLab()
  lab.provider.script(reply({ text: ['Busy'], ending: 'stall' }))
  lab.provider.otherwise(reply({ text: 'Answered' }))
  const { sessionId } = await lab.say('First', (await lab.sessions.create({ title: 'Queue' })).id)
  await lab.provider.received(0)
  const ids: string[] = []
  for (const text of texts) ids.push((await lab.sessions.send({ sessionId, message: words(text) })).messageId)
  return { lab, sessionId, ids }
}

/** Resolves once nothing runs and nothing waits. */
async function calm({ sessions, chunksOf }: CoreLab, sessionId: string): Promise<void> {
  for (;;) {
    const status = await sessions.status(sessionId)
    if (status.state === 'busy') await chunksOf(sessionId, status.runId)
    else if ((await sessions.queue.list(sessionId)).length === 0) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test.for([0, 1, 2, 3, 4])(
  'QU-3 a promotion is not refused because others add, edit or take out at the same time (order %i)',
  async (first) => {
    const { lab, sessionId, ids } = await busyLab(['a', 'b', 'c', 'd'])
    await using _lab = lab
    const [, b = '', c = '', d = ''] = ids
    const { queue, send } = lab.sessions
    const promoted = Promise.withResolvers<string>()
    const started: (() => Promise<unknown>)[] = [
      () => send({ sessionId, message: words('e') }),
      () => queue.promote(sessionId, d).then(({ runId }) => promoted.resolve(runId), promoted.reject),
      () => queue.cancel(sessionId, b),
      () => queue.edit({ sessionId, messageId: c, ...words('c edited') }),
      () => send({ sessionId, message: words('f') }),
    ]
    const order = [...started.slice(first), ...started.slice(0, first)]
    await Promise.allSettled(order.map((start) => start()))
    expect(await promoted.promise).toMatch(/^run_/)
    await calm(lab, sessionId)
    const { items } = await lab.sessions.messages({ sessionId, limit: 200 })
    const asked = items.filter(({ role }) => role === 'user').map(textOf)
    expect(asked.slice(0, 2)).toEqual(['First', 'd'])
    expect(asked).toContain('a')
    expect(new Set(asked).size).toBe(asked.length)
  },
)

test('QU-3 QU-5 a message that waits can be made to steer, and to wait again', async () => {
  const { lab, sessionId, ids } = await busyLab(['a'])
  await using _lab = lab
  const messageId = ids[0] ?? ''
  const { queue } = lab.sessions
  for (const steer of [true, false, true, false]) {
    await queue.edit({ sessionId, messageId, steer })
    const [waiting] = await queue.list(sessionId)
    expect(Boolean(waiting?.metadata?.steer)).toBe(steer)
    expect(waiting && textOf(waiting)).toBe('a')
  }
})

const act = fc.record({
  kind: fc.constantFrom('send', 'edit', 'cancel', 'promote', 'reorder', 'abort'),
  pick: fc.nat({ max: 10 }),
})

test('QU-3 under concurrent queue operations each message is answered once or cancelled, and refusals are named', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 10 }), async (acts) => {
      const { lab, sessionId, ids } = await busyLab(['a', 'b', 'c'])
      await using _lab = lab
      const { queue, send, abort } = lab.sessions
      const taken = new Set<string>()
      const sent = new Set(ids)
      const kinds: Record<string, (id: string, index: number) => Promise<unknown>> = {
        send: async (_, index) => {
          const { messageId } = await send({ sessionId, message: words(`new ${index}`) })
          sent.add(messageId)
        },
        edit: (messageId, index) => queue.edit({ sessionId, messageId, ...words(`edited ${index}`) }),
        cancel: (id) => queue.cancel(sessionId, id).then(() => taken.add(id)),
        promote: (id) => queue.promote(sessionId, id),
        reorder: () => queue.reorder(sessionId, ids.toReversed()),
        abort: () => abort(sessionId),
      }
      const doing = acts.map(({ kind, pick }, index) => kinds[kind]?.(ids[pick % ids.length] ?? '', index))
      for (const one of await Promise.allSettled(doing)) {
        if (one.status === 'fulfilled') continue
        expect(['CONFLICT', 'SESSION_BUSY']).toContain((one.reason as AppError).code)
      }
      await abort(sessionId)
      await calm(lab, sessionId)
      const { items } = await lab.sessions.messages({ sessionId, limit: 200 })
      const asked = items.filter(({ role }) => role === 'user').map(({ id }) => id)
      expect(new Set(asked).size).toBe(asked.length)
      for (const id of sent) expect([id, asked.includes(id) !== taken.has(id)]).toEqual([id, true])
      const replies = items.filter(({ role }) => role === 'assistant')
      expect(replies.every(({ metadata }) => metadata?.finishReason !== undefined)).toBe(true)
    }),
    { numRuns: 30 },
  )
}, 60_000)
