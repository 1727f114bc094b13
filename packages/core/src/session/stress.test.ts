import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import { deltas, failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../domain/message/message.ts'

const todo = { name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }
const ANSWERS = {
  text: () => reply({ text: deltas(20) }),
  tool: () => reply({ text: 'Look', toolCalls: [todo] }),
  refused: () => failure(401, 'No key'),
  overloaded: () => failure(503, 'Overloaded'),
  cut: () => reply({ text: deltas(3), ending: 'cut' }),
  stall: () => reply({ text: deltas(3), ending: 'stall' }),
}

const move = fc.record({
  kind: fc.constantFrom('send', 'send', 'send', 'steer', 'abort', 'promote', 'cancel', 'continue', 'view'),
  answer: fc.constantFrom(...(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])),
  /** Turns of the event queue before the next move. */
  pause: fc.nat({ max: 12 }),
})
type Move = { kind: string; answer: keyof typeof ANSWERS; pause: number }

/** Every text that the session was sent and did not take back. */
async function act(lab: CoreLab, sessionId: string, moves: Move[]): Promise<Set<string>> {
  const sent = new Set<string>()
  const cancelled = new Set<string>()
  const send = async (text: string, steer: boolean) => {
    const message = { parts: [{ type: 'text' as const, text }] }
    await lab.sessions.send({ sessionId, message, steer })
    sent.add(text)
  }
  const waiting = async () => (await lab.sessions.queue.list(sessionId)).at(-1)
  const kinds: Record<string, (index: number) => Promise<unknown>> = {
    send: (index) => send(`Message ${index}.`, false),
    steer: (index) => send(`Steering ${index}.`, true),
    abort: () => lab.sessions.abort(sessionId),
    continue: () => lab.sessions.continue(sessionId).catch(() => null),
    promote: async () => {
      const message = await waiting()
      if (message) await lab.sessions.queue.promote(sessionId, message.id).catch(() => null)
    },
    cancel: async () => {
      const message = await waiting()
      if (!message) return
      const gone = lab.sessions.queue.cancel(sessionId, message.id).then(() => cancelled.add(textOf(message)))
      await gone.catch(() => null)
    },
    view: async () => {
      for await (const _ of lab.sessions.stream({ sessionId })) break
    },
  }
  const acting: Promise<unknown>[] = []
  for (const [index, { kind, answer, pause }] of moves.entries()) {
    lab.provider.otherwise(() => ANSWERS[answer]())
    acting.push(kinds[kind]?.(index) ?? Promise.resolve())
    for (let turn = 0; turn < pause; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  lab.provider.otherwise(() => reply({ text: 'ok' }))
  const stopping = lab.sessions.abort(sessionId)
  await Promise.all([...acting, stopping])
  return sent.difference(cancelled)
}

const textOf = ({ parts }: ChatMessage) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** Aborts and asks until nothing runs and nothing waits. */
async function calm(lab: CoreLab, sessionId: string): Promise<void> {
  for (;;) {
    const queue = await lab.sessions.queue.list(sessionId)
    const status = await lab.sessions.status(sessionId)
    if (status.state === 'busy') await lab.chunksOf(sessionId, status.runId)
    else if (queue.length === 0) return
    else await lab.turn('Go on with the queue', sessionId)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('QU-1 AB-1 LS-8 whatever happens at once, no message is lost or doubled, and every run ends once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 14 }), async (moves) => {
      await using lab = await openCoreLab({ clock: createImpatientClock() })
      const { id: sessionId } = await lab.sessions.create({ title: 'Stress' })
      const sent = await act(lab, sessionId, moves)
      await lab.sessions.abort(sessionId)
      await calm(lab, sessionId)
      const { items } = await lab.sessions.messages({ sessionId, limit: 200, hidden: true })
      const texts = items.filter(({ role }) => role === 'user').map(textOf)
      for (const text of sent) expect(texts.filter((other) => other === text)).toHaveLength(1)
      const replies = items.filter(({ role }) => role === 'assistant')
      expect(replies.filter(({ metadata }) => metadata?.finishReason === undefined)).toEqual([])
      expect(new Set(replies.map(({ metadata }) => metadata?.runId)).size).toBe(replies.length)
      expect(lab.core.activeRuns).toBe(0)
    }),
    { numRuns: 60 },
  )
}, 60_000)
