import { openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { expect, test } from 'vitest'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { Store } from '../../ports/index.ts'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }

/** A store that notes the bodies it gives away: `reads` has the places of each reading. */
async function countingStore() {
  const store = await createMemoryStore()
  const reads: number[][] = []
  const note = (messages: StoredMessage[]) => {
    reads.push(messages.map(({ seq }) => seq ?? 0))
    return messages
  }
  const counting: Store = {
    ...store,
    messages: {
      ...store.messages,
      visible: async (sessionId) => note(await store.messages.visible(sessionId)),
    },
    history: {
      ...store.history,
      messagesAt: async (sessionId, ranges) => note(await store.history.messagesAt(sessionId, ranges)),
    },
  }
  return { store: counting, reads }
}

async function openTalk() {
  const { store, reads } = await countingStore()
  const lab = await openHistoryLab({ store })
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: ROOMY })
  const talk = async (turns: number, tokens: number) => {
    for (let turn = 0; turn < turns; turn++) await lab.turn(words(tokens), sessionId)
  }
  /** The places of the bodies that a compaction read, reading by reading. */
  const compact = async () => {
    reads.length = 0
    const result = await lab.sessions.history.compact(sessionId)
    return { ...result, read: [...reads] }
  }
  return { lab, talk, compact }
}

const places = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('PF-6 a compaction reads each body that it summarises once, and of the rest the last turns alone', async () => {
  const { lab, talk, compact } = await openTalk()
  await using _ = lab
  await talk(80, 20)
  const { hidden, read } = await compact()
  expect(hidden).toBe(156)
  // The tail, to know its size; what goes, some at a time; and the tail once more, for the meter.
  expect([read.at(0), read.at(-1)]).toEqual([places(157, 160), places(157, 160)])
  expect(read.slice(1, -1).flat()).toEqual(places(1, 156))
  expect(Math.max(...read.map((seqs) => seqs.length))).toBeLessThanOrEqual(100)
})

test('PF-6 a later compaction reads the summary, and none of the messages that it replaces', async () => {
  const { lab, talk, compact } = await openTalk()
  await using _ = lab
  await talk(20, 20)
  await compact()
  // The summary has place 41, and what stayed those from 37.
  await talk(4, 20)
  const { read } = await compact()
  expect(
    read
      .slice(0, -1)
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual(places(37, 49))
  expect(read.at(-1)).toEqual(places(46, 49))
})

test('PF-6 input too long for its summariser is abandoned early and summarised in pieces, a few bodies at a time', async () => {
  const { lab, talk, compact } = await openTalk()
  await using _ = lab
  await talk(150, 500)
  const { hidden, read } = await compact()
  expect(hidden).toBe(296)
  expect(lab.summaries.length).toBeGreaterThan(2)
  // Whole, with outputs cut short, in pieces: each from the start, and the first two no further than they fit.
  expect(Math.max(...read.map((seqs) => seqs.length))).toBeLessThanOrEqual(100)
  const times = Map.groupBy(read.flat(), (seq) => seq)
  expect(times.get(1)).toHaveLength(3)
  expect(times.get(296)).toHaveLength(1)
})
