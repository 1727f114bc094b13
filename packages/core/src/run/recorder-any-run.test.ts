import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { randomChunks } from '@palimpsest/testing/random-chunks.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk, ChatMessage, ChatPart, MessageMetadata } from '../domain/message/message.ts'
import { initialReduction, type Reduction, reduceChunk } from '../domain/stream/message-reducer.ts'
import type { RecordWrite } from '../ports/index.ts'
import { withParsedInputs } from './partial-input.ts'
import { createRecorder, type SavePolicy } from './recorder.ts'

const RUN = { sessionId: 'ses_1', messageId: 'msg_1', runId: 'run_1', epoch: 1 }

type Pace = { advanceMs: number; turns: number }
const pace: fc.Arbitrary<Pace> = fc.record({
  advanceMs: fc.constantFrom(0, 0, 1, 19, 20, 300),
  turns: fc.nat({ max: 3 }),
})

const turn = () => new Promise((resolve) => setImmediate(resolve))
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A store that takes its time and fails at the write with this number, counted from 1. */
function slowStore(failsAt: number, turnsPerWrite: number) {
  const rows = new Map<number, { id: string; data: ChatPart }>()
  const ids = new Map<number, string>()
  const log: ChatChunk[] = []
  let tail: ChatChunk[] = []
  let open: Reduction['open'] = { text: {}, reasoning: {} }
  let metadata: MessageMetadata | null = null
  let writes = 0
  let writing = 0

  async function save(write: RecordWrite): Promise<void> {
    writes += 1
    const number = writes
    writing += 1
    expect(writing).toBe(1)
    for (let count = 0; count < turnsPerWrite; count++) await turn()
    writing -= 1
    if (number === failsAt) throw new Error('The disk is full')
    for (const { id, index, data } of write.parts) {
      expect(ids.get(index) ?? id).toBe(id)
      ids.set(index, id)
      rows.set(index, { id, data })
    }
    metadata = write.metadata ?? metadata
    const chunks = write.log?.chunks ?? []
    log.push(...chunks)
    tail = write.log?.open ? [] : [...tail, ...chunks]
    open = write.log?.open ?? open
  }

  /** The message with the chunks that are not folded into its rows yet. */
  function joined(): ChatMessage {
    const parts = [...rows.keys()].toSorted((a, b) => a - b).flatMap((index) => rows.get(index)?.data ?? [])
    const message = { id: RUN.messageId, role: 'assistant' as const, parts, ...(metadata && { metadata }) }
    return tail.reduce(reduceChunk, { message, open }).message
  }

  return {
    save,
    log,
    get parts() {
      return joined().parts
    },
    get metadata() {
      return metadata
    },
    get writes() {
      return writes
    },
  }
}

/** What these chunks are as a stored message. */
async function messageOf(chunks: readonly ChatChunk[]): Promise<ChatMessage> {
  return await withParsedInputs(chunks.reduce(reduceChunk, initialReduction(RUN.messageId)).message)
}

/** Between two folds the parsed input of a streaming call stays as it was: here it is parsed anew. */
async function withInputs(parts: ChatPart[]): Promise<ChatPart[]> {
  return (await withParsedInputs({ id: RUN.messageId, role: 'assistant', parts })).parts
}

/** No model call begins its step again, so no reset is published. */
const streams = (length: number) =>
  randomChunks(length).map((chunks) => chunks.filter(({ type }) => type !== 'reset-step'))

type Course = {
  chunks: ChatChunk[]
  paces: Pace[]
  failsAt: number
  turnsPerWrite: number
  savePolicy: SavePolicy
}

/** Records a whole run; answers what was shown, what the store held each time, and what it holds at the end. */
async function record({ chunks, paces, failsAt, turnsPerWrite, savePolicy }: Course) {
  const clock = createFakeClock()
  const store = slowStore(failsAt, turnsPerWrite)
  const shown: ChatChunk[] = []
  const moments: { shown: ChatChunk[]; stored: ChatPart[] }[] = []
  const failures: unknown[] = []
  const live = {
    append(more: readonly ChatChunk[]) {
      shown.push(...more)
      moments.push({ shown: [...shown], stored: store.parts })
    },
    end: () => undefined,
  }
  const onFailure = (error: unknown) => void failures.push(error)
  const recorder = createRecorder(RUN, { clock, live, savePolicy, save: store.save, onFailure })
  for (const [index, chunk] of chunks.entries()) {
    recorder.write(chunk)
    const { advanceMs, turns } = paces[index % paces.length] ?? { advanceMs: 0, turns: 0 }
    clock.advance(advanceMs)
    for (let count = 0; count < turns; count++) await turn()
  }
  const committed = await recorder.commit([], store.save).then(
    () => true,
    () => false,
  )
  return { shown, moments, failures, store, committed, recorder }
}

const course = (failsAt: fc.Arbitrary<number>): fc.Arbitrary<Course> =>
  fc.record({
    chunks: streams(40),
    paces: fc.array(pace, { minLength: 1, maxLength: 6 }),
    failsAt,
    turnsPerWrite: fc.nat({ max: 3 }),
    savePolicy: fc.constant<SavePolicy>('chunk'),
  })

test('RE-5 for any chunks at any pace, the store always holds what a viewer has received', async () => {
  await fc.assert(
    fc.asyncProperty(course(fc.constant(0)), async (run) => {
      const { moments, shown, store, committed } = await record(run)
      expect(committed).toBe(true)
      for (const moment of moments) {
        const message = await messageOf(moment.shown)
        expect(plain(await withInputs(moment.stored))).toEqual(plain(message.parts))
      }
      expect(shown).toEqual(run.chunks)
      expect(store.log).toEqual(run.chunks)
      expect(plain(store.metadata)).toEqual(plain((await messageOf(run.chunks)).metadata))
    }),
    { numRuns: 80 },
  )
})

test('RE-3 RE-4 whichever write fails, the store holds what was shown, nothing more is shown, and the error is published once', async () => {
  await fc.assert(
    fc.asyncProperty(course(fc.integer({ min: 1, max: 6 })), async (run) => {
      const { moments, shown, store, failures, committed } = await record(run)
      fc.pre(store.writes >= run.failsAt)
      expect(failures.length + (committed ? 0 : 1)).toBeGreaterThan(0)
      expect(failures.length).toBeLessThanOrEqual(1)
      for (const moment of moments) {
        expect(plain(await withInputs(moment.stored))).toEqual(plain((await messageOf(moment.shown)).parts))
      }
      expect(run.chunks.slice(0, shown.length)).toEqual(shown)
      expect(plain(await withInputs(store.parts))).toEqual(plain((await messageOf(shown)).parts))
      expect(store.log).toEqual(shown)
      if (committed) expect(shown).toEqual(run.chunks)
    }),
    { numRuns: 80 },
  )
})

test.for(['step', 'turn'] as const)(
  'RE-2 with save_on %s whatever streams is shown as it comes, and stored whole with the commit',
  async (savePolicy) => {
    await fc.assert(
      fc.asyncProperty(course(fc.constant(0)), async (run) => {
        const { shown, store } = await record({ ...run, savePolicy })
        expect(shown).toEqual(run.chunks)
        expect(store.writes).toBe(1)
        expect(store.log).toEqual(run.chunks)
        expect(plain(store.parts)).toEqual(plain((await messageOf(run.chunks)).parts))
      }),
      { numRuns: 40 },
    )
  },
)

test('RE-2 no write is begun while another is under way, and a burst costs no more writes than it lasts', async () => {
  await fc.assert(
    fc.asyncProperty(streams(60), fc.nat({ max: 3 }), async (chunks, turnsPerWrite) => {
      const paces = [{ advanceMs: 0, turns: 0 }]
      const { store } = await record({ chunks, paces, failsAt: 0, turnsPerWrite, savePolicy: 'chunk' })
      expect(store.writes).toBeLessThanOrEqual(2)
    }),
    { numRuns: 40 },
  )
})
