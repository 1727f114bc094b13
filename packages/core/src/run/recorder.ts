import { createId } from '../domain/ids.ts'
import type { ChatChunk, ChatMessage, ChatPart, MessageMetadata } from '../domain/message.ts'
import { initialReduction, type Reduction, reduceChunk } from '../domain/message-reducer.ts'
import type { Clock, LiveWriter, PartWrite, RecordWrite, SteeringWrite } from '../ports/index.ts'
import { createPartTimer, type PartTimer } from './part-timer.ts'
import { createGrowingInputs, withParsedInput } from './partial-input.ts'

/** When what has streamed is saved: with every chunk, at each step's end, or at the run's end. */
export type SavePolicy = 'chunk' | 'step' | 'turn'

/**
 * Milliseconds from the start of one write to the next. A chunk that comes later than that is written at once; in a
 * burst the gathered ones cost one write and one event together.
 */
export const GATHER_MS = 20

/**
 * A part is written whole, so that one growing for long would be written over and over: per this many characters that a
 * write takes along, the next one is `GATHER_MS` away, up to the maximum.
 */
const GATHER_CHARACTERS = 64 * 1024
const MAX_GATHER_MS = 1_000

type Save<T> = (write: RecordWrite) => Promise<T>
type ParseInput = (part: ChatPart) => Promise<ChatPart>

/** Chunks that only open something: they show nothing, and go with what follows. */
const OPENING: ReadonlySet<string> = new Set<ChatChunk['type']>([
  'start',
  'start-step',
  'text-start',
  'reasoning-start',
])

export type RecorderDeps = {
  clock: Clock
  live: LiveWriter
  savePolicy: SavePolicy
  save(write: RecordWrite): Promise<void>
  /** Told once when a write fails, so that the run ends instead of going on unsaved. */
  onFailure(error: unknown): void
}

export type Recorder = {
  /** Takes a chunk; returns at once. */
  write(chunk: ChatChunk): void
  /**
   * Writes these chunks and all that is pending with `commit` instead of the ordinary write; publishes them after it.
   * Resolves with what `commit` answers.
   */
  commit<T>(chunks: readonly ChatChunk[], commit: (write: RecordWrite) => Promise<T>): Promise<T>
  /**
   * Writes all that is pending with `take` instead, which writes parts behind the message's last one; publishes them
   * after it. To be called while nothing else is written.
   */
  steer(take: (write: RecordWrite) => Promise<SteeringWrite[]>): Promise<void>
  /** The message as it stands, saved or not. */
  readonly message: ChatMessage
  /** The same with the parts of it that are open. */
  readonly reduction: Reduction
  /** How long its parts took, as its metadata says it. */
  readonly timing: PartTimer['patch']
  /** Whether anything has been written that a person could have seen. */
  readonly begun: boolean
}

/**
 * Makes one assistant message of a run's chunks: reduces, saves, and only then publishes them, so that nothing is ever
 * shown that is not stored. Independent of every viewer.
 */
export function createRecorder(run: { sessionId: string; messageId: string }, deps: RecorderDeps): Recorder {
  const { clock, live, savePolicy } = deps
  const createdAt = clock.now()
  const partTimer = createPartTimer(clock)
  const inputs = createGrowingInputs()
  const partIds: string[] = []
  let reduction = initialReduction(run.messageId)
  let saved: { parts: readonly ChatPart[]; metadata?: MessageMetadata | undefined } = { parts: [] }
  let pending: ChatChunk[] = []
  let failed = false
  let queued = false
  let timer: Disposable | null = null
  let nextWriteAt = Number.NEGATIVE_INFINITY
  let tail: Promise<unknown> = Promise.resolve()

  function write(chunk: ChatChunk) {
    const { parts } = reduction.message
    reduction = reduceChunk(reduction, chunk)
    partTimer.note(chunk, parts, reduction.message.parts)
    if (savePolicy === 'chunk') {
      pending.push(chunk)
      scheduleFlush(chunk)
    } else live.append([chunk])
  }

  function scheduleFlush({ type }: ChatChunk) {
    if (queued || failed) return
    const wait = nextWriteAt - clock.elapsed()
    if (wait <= 0 && !OPENING.has(type)) flushNext()
    else timer ??= clock.after(wait > 0 ? wait : GATHER_MS, flushNext)
  }

  function flushNext() {
    stopTimer()
    queued = true
    tail = tail.then(flush).catch(fail)
  }

  function stopTimer() {
    timer?.[Symbol.dispose]()
    timer = null
  }

  async function flush() {
    // A commit that came meanwhile takes everything with it.
    if (!queued) return
    queued = false
    if (pending.length > 0) await writeOut(deps.save, inputs.withInput)
  }

  async function writeOut<T>(save: Save<T>, parsed: ParseInput): Promise<T> {
    const startedAt = clock.elapsed()
    nextWriteAt = startedAt + GATHER_MS
    const chunks = pending
    pending = []
    const before = saved
    try {
      const write = await changes(parsed)
      nextWriteAt = startedAt + gatherTime(write.parts)
      const result = await save(write)
      live.append(chunks)
      return result
    } catch (error) {
      saved = before
      pending = [...chunks, ...pending]
      throw error
    }
  }

  async function changes(parsed: ParseInput): Promise<RecordWrite> {
    const { parts, metadata } = reduction.message
    const changed: PartWrite[] = []
    for (const [index, part] of parts.entries()) {
      if (part === saved.parts[index]) continue
      partIds[index] ??= createId('prt')
      changed.push({ id: partIds[index], index, data: await parsed(part) })
    }
    const said = metadata === saved.metadata ? null : (metadata ?? null)
    saved = { parts, metadata }
    return { ...run, metadata: said, createdAt, parts: changed, at: clock.now() }
  }

  function fail(error: unknown) {
    failed = true
    deps.onFailure(error)
  }

  async function commit<T>(
    chunks: readonly ChatChunk[],
    save: (write: RecordWrite) => Promise<T>,
  ): Promise<T> {
    stopTimer()
    queued = false
    for (const chunk of chunks) reduction = reduceChunk(reduction, chunk)
    pending.push(...chunks)
    const committed = tail.then(() => writeOut(save, withParsedInput))
    tail = committed.catch(() => undefined)
    return await committed
  }

  async function steer(take: (write: RecordWrite) => Promise<SteeringWrite[]>): Promise<void> {
    const taken = await commit([], take)
    for (const { id, index, data } of taken) {
      reduction = reduceChunk(reduction, data)
      partIds[index] = id
    }
    saved = { ...saved, parts: reduction.message.parts }
    live.append(taken.map(({ data }) => data))
  }

  return {
    write,
    commit,
    steer,
    get message() {
      return reduction.message
    },
    get reduction() {
      return reduction
    },
    get timing() {
      return partTimer.patch
    },
    get begun() {
      return reduction.message.metadata !== undefined
    },
  }
}

function gatherTime(parts: readonly PartWrite[]): number {
  const characters = parts.reduce((sum, { data }) => sum + charactersOf(data), 0)
  return Math.min(MAX_GATHER_MS, GATHER_MS * Math.max(1, characters / GATHER_CHARACTERS))
}

/** Of what may grow: text, and arguments with the input that they make. */
function charactersOf(part: ChatPart): number {
  if ('text' in part) return part.text.length
  return 'rawInput' in part && typeof part.rawInput === 'string' ? 2 * part.rawInput.length : 0
}
