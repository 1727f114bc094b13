import { expect, test } from 'vitest'
import type { ChatPart, MessageMetadata, StoredMessage } from '../domain/message/message.ts'
import { readThread } from './read-thread.ts'

const skill = (name: string): ChatPart => ({
  type: 'tool-skill',
  toolCallId: name,
  state: 'output-available',
  input: {},
  output: { text: 'How to.', data: { skill: name } },
})
const summary: ChatPart = {
  type: 'data-compaction',
  data: { summary: 'Before.', skills: [{ name: 'carried', text: 'How to.' }] },
}
const step: ChatPart = { type: 'step-start' }
const text: ChatPart = { type: 'text', text: 'Hello' }

type Told = { parts?: ChatPart[]; pruned?: boolean; metadata?: Partial<MessageMetadata> }

function message({ parts = [text], pruned = false, metadata = {} }: Told): StoredMessage {
  return {
    id: 'm',
    sessionId: 's',
    seq: 1,
    role: 'assistant',
    metadata: { schemaVersion: 1, createdAt: 0, ...metadata },
    parts: parts.map((data, index) => ({ id: `p${index}`, index, data, prunedAt: pruned ? 1 : null })),
    hiddenAt: null,
    hiddenBy: null,
    queuedAt: null,
    createdAt: 0,
    updatedAt: 0,
  } as StoredMessage
}

/** A clock that stands still and counts the turns that it gives. */
function counting() {
  const clock = {
    turns: 0,
    elapsed: () => 0,
    turn: () => {
      clock.turns += 1
      return Promise.resolve()
    },
  }
  return clock
}

const todo = { kind: 'todo', about: 't', step: 1, text: 'Go on.' } as const

test('SX-10 fewer than 250 messages are read before the call returns, and more with a turn after each 250', async () => {
  const clock = counting()
  const few = readThread(
    Array.from({ length: 249 }, () => message({})),
    clock,
  )
  expect(few).not.toBeInstanceOf(Promise)
  expect((await few).view.messages).toHaveLength(249)
  expect(clock.turns).toBe(0)

  const many = await readThread(
    Array.from({ length: 1_001 }, () => message({})),
    clock,
  )
  expect(many.view.messages).toHaveLength(1_001)
  expect(clock.turns).toBe(4)
})

test('SX-10 the largest number of messages that are read between two turns is 250', async () => {
  const clock = counting()
  const between: number[] = []
  const watched = Array.from({ length: 900 }, () => {
    const one = message({})
    const { parts } = one
    let seen = false
    return Object.defineProperty(one, 'parts', {
      get() {
        if (!seen) between[clock.turns] = (between[clock.turns] ?? 0) + 1
        seen = true
        return parts
      },
    })
  })
  await readThread(watched, clock)
  expect(between).toEqual([250, 250, 250, 150])
})

test('SY-6 reminders and calls are those of messages that are neither left out nor summaries', async () => {
  const read = await readThread(
    [
      message({ parts: [summary], metadata: { compactionId: 'op', reminders: [todo] } }),
      message({ parts: [step, skill('out')], metadata: { leftOut: true, reminders: [todo] } }),
      message({ parts: [step, text, skill('in')], metadata: { reminders: [{ ...todo, about: 'kept' }] } }),
    ],
    counting(),
  )
  expect(read.seen).toEqual([step, skill('in')])
  expect(read.reminders).toEqual([{ ...todo, about: 'kept' }])
  expect(read.earlier).toEqual([summary, step, skill('out'), step, skill('in')])
})

test('SY-4 a skill is loaded while the model sees its body: neither pruned nor left out, or carried by a summary', async () => {
  const read = await readThread(
    [
      message({ parts: [summary], metadata: { compactionId: 'op' } }),
      message({ parts: [skill('out')], metadata: { leftOut: true } }),
      message({ parts: [skill('pruned')], pruned: true }),
      message({ parts: [skill('in'), skill('in')] }),
    ],
    counting(),
  )
  expect([...read.skills]).toEqual(['carried', 'in'])
})
