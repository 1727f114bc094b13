import { openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import {
  asks,
  lease,
  newSession,
  replyWrite,
  userMessage,
} from '@palimpsest/testing/store-contract/fixtures.ts'
import { expect, test } from 'vitest'
import type { ChatPart, StoredMessage } from '../../domain/message/message.ts'
import type { Store } from '../../ports/index.ts'

const TURNS = 120
const sessionId = 'ses_long'

/**
 * A core on a session of 120 turns that were written without a run: `reply` is what each puts out, `window` what the last was
 * counted as. `reads` has the places of each reading of bodies.
 */
async function openLong(reply: (turn: number) => ChatPart[], window: number) {
  const store = await createMemoryStore()
  await store.sessions.create(newSession(sessionId, { title: 'Long' }))
  for (let turn = 1; turn <= TURNS; turn++) {
    const run = lease(sessionId, turn)
    await store.runs.begin(run, asks(userMessage(sessionId, `msg_${turn}`, words(5))))
    const { metadata, ...write } = replyWrite(run, `msg_${turn}a`, reply(turn))
    const counted = { ...write, metadata: { ...metadata, window: { tokens: window } } }
    if (turn === TURNS) await store.runs.commitStep({ ...counted, ...STEP, contextTokens: window })
    await store.runs.end(run, turn === TURNS ? null : { ...write, metadata }, 9_000 + turn)
  }
  const { counting, reads } = countReads(store)
  return { lab: await openHistoryLab({ store: counting }), reads }
}

const STEP = {
  usage: { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  contextEstimated: false,
  model: { providerId: 'lab', modelId: 'one' },
  systemPrompt: null,
}

function countReads(store: Store) {
  const reads: number[][] = []
  const note = (messages: StoredMessage[]) => {
    reads.push(messages.map(({ seq }) => seq ?? 0))
    return messages
  }
  const { messages, history } = store
  const counting: Store = {
    ...store,
    messages: { ...messages, visible: async (id) => note(await messages.visible(id)) },
    history: { ...history, messagesAt: async (id, ranges) => note(await history.messagesAt(id, ranges)) },
  }
  return { counting, reads }
}

const places = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const most = (reads: number[][]) => Math.max(...reads.map((seqs) => seqs.length))
const said = (): ChatPart[] => [{ type: 'text', text: words(10), state: 'done' }]

function found(turn: number): ChatPart[] {
  const toolCallId = `call_${turn}`
  const output = { text: words(25_000, 'needle') }
  return [{ type: 'tool-find', toolCallId, state: 'output-available', input: {}, output }]
}

test('PF-6 that a conversation fits is found without reading a body, and that it does not by a few at a time', async () => {
  const { lab, reads } = await openLong(said, 3_200)
  await using _ = lab
  const fit = (modelId: string) =>
    lab.sessions.history.fit({ sessionId, model: { providerId: 'lab', modelId } })
  expect(await fit('m1')).toMatchObject({ outcome: 'fits', window: { used: 3_200, estimated: false } })
  expect(reads).toEqual([])
  expect(await fit('small')).toMatchObject({ outcome: 'compacts', window: { used: 3_200 } })
  // What may be in the tail, and then what would go: with the next message, all but the last turn.
  expect(reads[0]).toEqual(places(237, 240))
  expect(reads.slice(1).flat()).toEqual(places(1, 238))
  expect(most(reads)).toBeLessThanOrEqual(100)
})

test('PF-6 pruning reads replies only, a few at a time, and finds nothing in small outputs', async () => {
  const { lab, reads } = await openLong(said, 3_200)
  await using _ = lab
  expect(await lab.sessions.history.prune(sessionId)).toEqual({ operationId: null, parts: 0, tokens: 0 })
  expect(reads.flat()).toEqual(places(1, TURNS).map((turn) => 2 * turn))
  expect(most(reads)).toBeLessThanOrEqual(100)
})

test('PR-2 the newest outputs are determined across all of a long conversation', async () => {
  const large = new Set([2, 60, 99, 101, 118, 119, 120])
  const { lab } = await openLong((turn) => (large.has(turn) ? found(turn) : said()), 180_000)
  await using _ = lab
  // The last three replies stay, and with them the newest 40,000 tokens.
  expect(await lab.sessions.history.prune(sessionId)).toMatchObject({ parts: 4 })
  const { items } = await lab.sessions.messages({ sessionId, limit: 200, hidden: true })
  const { items: earlier } = await lab.sessions.messages({
    sessionId,
    limit: 200,
    cursor: '41',
    hidden: true,
  })
  const pruned = [...earlier, ...items].filter(({ metadata }) => metadata?.prunedParts !== undefined)
  expect(pruned.map(({ id }) => id)).toEqual(['msg_2a', 'msg_60a', 'msg_99a', 'msg_101a'])
  expect(await lab.sessions.history.unprune(sessionId)).toMatchObject({ parts: 4 })
})
