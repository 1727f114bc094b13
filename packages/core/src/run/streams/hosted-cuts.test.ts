import type { CoreLab } from '@palimpsest/testing/core-lab.ts'
import { HOSTED_STREAMS, wordsOf } from '@palimpsest/testing/hosted-streams.ts'
import { LAB_MODEL } from '@palimpsest/testing/lab-models.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import {
  loadProviderStreams,
  modelIdOf,
  type ProviderStream,
  RECORDED_STREAMS_FOLDER,
  recordingOf,
} from '@palimpsest/testing/provider-streams.ts'
import type { ReplyStep } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab } from '@palimpsest/testing/stream-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../../domain/message/message.ts'
import { initialReduction, reduceChunk } from '../../domain/stream/message-reducer.ts'
import type { Store } from '../../ports/index.ts'

const LONG = process.env['TEST_PROFILE'] === 'long'
const PLACES = LONG ? Number.POSITIVE_INFINITY : 6
const SEED = 13
/** In the long profile each of up to four hundred events costs a replay of those before it. */
const TIMEOUT_MS = LONG ? 1_800_000 : 120_000

const streams = [...HOSTED_STREAMS, ...loadProviderStreams(RECORDED_STREAMS_FOLDER)]

const ERRORS: Readonly<Record<string, object>> = {
  'anthropic-messages': { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  'openai-responses': {
    type: 'error',
    sequence_number: 1,
    error: { type: 'server_error', code: 'server_error', message: 'Sorry', param: null },
  },
  'google-messages': { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } },
}
const CHAT_ERROR = { error: { message: 'Sorry', type: 'server_error', param: null, code: null } }

/** Some places of `count`, the same in each run; all of them in the long profile. */
function placesIn(count: number): number[] {
  const all = Array.from({ length: count }, (_, place) => place + 1)
  if (all.length <= PLACES) return all
  const [some = []] = fc.sample(fc.shuffledSubarray(all, { minLength: PLACES, maxLength: PLACES }), {
    seed: SEED,
    numRuns: 1,
  })
  return some
}

async function newSession(lab: CoreLab): Promise<string> {
  return (await lab.sessions.create({ title: 'Cut' })).id
}

/** Sends another message, which the provider answers when it takes the conversation. */
async function expectAnswer(lab: CoreLab, stream: ProviderStream, sessionId: string, where: string) {
  lab.provider.script(recordingOf(wordsOf(stream.folder)))
  const { messages } = await lab.turn('And then?', sessionId)
  expect(messages.at(-1)?.metadata?.error, where).toBeUndefined()
  expect(JSON.stringify(lab.provider.requests.at(-1)?.body), where).toContain('And then?')
}

test.for(streams)(
  'RL-8 after $folder/$name failed or was cut at any event, the next message is answered',
  { timeout: TIMEOUT_MS },
  async (stream) => {
    await using lab = await openFormatLab(stream.folder, {}, modelIdOf(stream))
    const whole = [...recordingOf(stream).steps]
    const failure: ReplyStep = {
      send: `event: error\ndata: ${JSON.stringify(ERRORS[stream.folder] ?? CHAT_ERROR)}\n\n`,
    }
    for (const place of placesIn(stream.lines.length)) {
      for (const ending of [[{ cut: true as const }], [failure]]) {
        const sessionId = await newSession(lab)
        lab.provider.script({ ...recordingOf(stream), steps: [...whole.slice(0, place), ...ending] })
        await lab.turn('Go', sessionId)
        await expectAnswer(lab, stream, sessionId, `after ${place} events`)
      }
    }
  },
)

/** What a host that died after these chunks has left in the store. */
async function leaveRun({ runs }: Store, sessionId: string, chunks: ChatChunk[]) {
  const { message } = chunks.reduce(reduceChunk, initialReduction(`msg_reply_${sessionId}`))
  const runId = `run_${sessionId}`
  const metadata = { schemaVersion: 1 as const, createdAt: 2, runId, model: LAB_MODEL }
  const id = `msg_user_${sessionId}`
  const question = {
    id,
    sessionId,
    role: 'user' as const,
    metadata,
    parts: [{ type: 'text' as const, text: 'Go' }],
  }
  await runs.begin(
    { runId, sessionId, startedAt: 2, epoch: 1 },
    { type: 'message', message: question, change: null },
  )
  if (message.parts.length === 0) return
  const parts = message.parts.map((data, index) => ({ id: `prt_${sessionId}_${index}`, index, data }))
  const log = { runId, epoch: 1, chunks: [], open: { text: {}, reasoning: {} } }
  await runs.record({ log, sessionId, messageId: message.id, metadata, parts, createdAt: 3, at: 3 })
}

test.for(streams)(
  'RL-8 RV-2 after the host died at any chunk of $folder/$name, the next message is answered',
  { timeout: TIMEOUT_MS },
  async (stream) => {
    const tables = createMemoryTables()
    const dead = await createMemoryStore(tables)
    const store = await createMemoryStore(tables)
    await using lab = await openFormatLab(stream.folder, {}, modelIdOf(stream), { store })
    lab.provider.script(recordingOf(stream))
    const { chunks } = await lab.turn('Go', await newSession(lab))
    for (const place of placesIn(chunks.length)) {
      const sessionId = await newSession(lab)
      await leaveRun(dead, sessionId, chunks.slice(0, place))
      expect(await lab.core.recover()).toBe(1)
      await expectAnswer(lab, stream, sessionId, `after ${place} chunks`)
    }
  },
)
