import { createId } from '../domain/ids.ts'
import type {
  ChatChunk,
  ChatMessage,
  ChatPart,
  MessageMetadata,
  StoredMessage,
} from '../domain/message/message.ts'
import { initialReduction, type Reduction, reduceChunk } from '../domain/stream/message-reducer.ts'
import type {
  Clock,
  LiveWriter,
  PartWrite,
  RecordWrite,
  RunEpoch,
  SteeringWrite,
  StepEnding,
} from '../ports/index.ts'
import { createPartTimer, type PartTimer } from './part-timer.ts'
import { createGrowingInputs, withParsedInput } from './partial-input.ts'
import { charactersIn, charactersOf, isFraming, isGrowth, isWhole } from './recorded-chunks.ts'

/** When what has streamed is saved: with every chunk, at each step's end, or at the run's end. */
export type SavePolicy = 'chunk' | 'step' | 'turn'

/** Milliseconds that a chunk which only frames something waits for what follows. */
export const FRAMING_MS = 20

/**
 * Milliseconds and characters from one fold of the log into the parts to the next. A part is written whole, so that one
 * which grows for long would be written over and over: above 1 MB the time grows with its size, and the characters are
 * at least half of it.
 */
export const FOLD_MS = 1_000
export const FOLD_CHARACTERS = 64 * 1024
const LARGE_PART_CHARACTERS = 1024 * 1024

type Save<T> = (write: RecordWrite) => Promise<T>
type ParseInput = (part: ChatPart) => Promise<ChatPart>

/** What the parts hold of the message, since when, and the characters of the parts that were written last. */
type Folded = {
  parts: readonly ChatPart[]
  metadata?: MessageMetadata | undefined
  at: number
  characters: number
}

export type RecorderDeps = {
  clock: Clock
  live: LiveWriter
  savePolicy: SavePolicy
  save(write: RecordWrite): Promise<void>
  /** Called once when a write fails, so that the run ends instead of going on unsaved. */
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
   * Takes the end of the last step with its chunks: the write that ends the run stores it too, or `save` when that comes later
   * than `FRAMING_MS`. Returns false with `save_on` step or turn, where the step must be committed.
   */
  endLastStep(chunks: readonly ChatChunk[], step: StepEnding, save: Save<void>): boolean
  /**
   * Writes all that is pending with `take` instead, which writes parts behind the message's last one; publishes them
   * after it. To be called while nothing else is written.
   */
  steer(take: (write: RecordWrite) => Promise<SteeringWrite[]>): Promise<void>
  /** The message so far, saved or not. */
  readonly message: ChatMessage
  /** The same with the parts of it that are open. */
  readonly reduction: Reduction
  /** How long its parts took, as its metadata says it. */
  readonly timing: PartTimer['patch']
  /** Whether anything has been written that a person could have seen. */
  readonly begun: boolean
}

/**
 * Makes one assistant message of a run's chunks: appends them to the run's log, folds them into the message's parts, and
 * publishes them after the write, so that nothing is ever shown that is not stored. Independent of every viewer. `reply`
 * is what a run that has waited has written of the message.
 */
export function createRecorder(
  run: RunEpoch & { sessionId: string; messageId: string },
  deps: RecorderDeps,
  reply: StoredMessage | null = null,
): Recorder {
  const { clock, live, savePolicy } = deps
  const { sessionId, messageId, runId, epoch } = run
  const createdAt = reply?.createdAt ?? clock.now()
  const partTimer = createPartTimer(clock)
  const inputs = createGrowingInputs()
  const partIds = reply?.parts.map(({ id }) => id) ?? []
  let reduction = reply === null ? initialReduction(messageId) : reductionOf(reply)
  const { parts, metadata } = reduction.message
  let folded: Folded = { parts, metadata, at: Number.NEGATIVE_INFINITY, characters: 0 }
  /** What the log does not hold yet; with `save_on` step or turn viewers have the first `published` of it. */
  let pending: ChatChunk[] = []
  let published = 0
  let unfolded = 0
  /** The end of the last step, which the next write stores. */
  let lastStep: { step: StepEnding; save: Save<void> } | null = null
  let failed = false
  let queued = false
  let framingTimer: Disposable | null = null
  let foldTimer: Disposable | null = null
  let tail: Promise<unknown> = Promise.resolve()
  /** A store may answer without ever waiting: from one write to the next the host reads what has arrived. */
  let turned: Promise<void> = Promise.resolve()

  function write(chunk: ChatChunk) {
    const { parts } = reduction.message
    reduction = reduceChunk(reduction, chunk)
    partTimer.note(chunk, parts, reduction.message.parts)
    pending.push(chunk)
    if (savePolicy === 'chunk') scheduleFlush(chunk)
    else {
      published = pending.length
      live.append([chunk])
    }
  }

  function scheduleFlush(chunk: ChatChunk) {
    if (queued || failed) return
    if (isFraming(chunk)) framingTimer ??= clock.after(FRAMING_MS, flushNext)
    else flushNext()
  }

  function flushNext() {
    stopTimers()
    queued = true
    tail = tail.then(flush).catch(fail)
  }

  function stopTimers() {
    framingTimer?.[Symbol.dispose]()
    foldTimer?.[Symbol.dispose]()
    framingTimer = null
    foldTimer = null
  }

  async function flush() {
    // A commit that came meanwhile takes everything with it.
    if (queued) await turned
    if (queued && pending.some(isWhole)) await clock.turn()
    if (!queued || failed) return
    queued = false
    if (isFoldDue()) await writeOut(lastStep?.save ?? deps.save, inputs.withInput)
    else if (pending.length > 0) await writeOut(deps.save, null)
    turned = clock.turn()
  }

  function isFoldDue(): boolean {
    if (pending.some((chunk) => !isGrowth(chunk))) return true
    const characters = unfolded + charactersIn(pending)
    if (characters === 0) return false
    return characters >= Math.max(FOLD_CHARACTERS, folded.characters / 2) || clock.elapsed() >= foldAt()
  }

  function foldAt(): number {
    return folded.at + FOLD_MS * Math.max(1, folded.characters / LARGE_PART_CHARACTERS)
  }

  async function writeOut<T>(save: Save<T>, parsed: ParseInput | null): Promise<T> {
    const before = { folded, unfolded, published, lastStep }
    const chunks = pending
    pending = []
    published = 0
    lastStep = null
    try {
      const write = await (parsed === null ? append(chunks) : fold(chunks, parsed))
      const result = await save(before.lastStep === null ? write : { ...write, step: before.lastStep.step })
      const fresh = chunks.slice(before.published)
      if (fresh.length > 0) live.append(fresh)
      if (parsed === null && !queued) scheduleFold()
      return result
    } catch (error) {
      ;({ folded, unfolded, published, lastStep } = before)
      pending = [...chunks, ...pending]
      throw error
    }
  }

  /** Appends to the log alone. */
  async function append(chunks: readonly ChatChunk[]): Promise<RecordWrite> {
    unfolded += charactersIn(chunks)
    const log = { runId, epoch, chunks, open: null }
    return { log, sessionId, messageId, metadata: null, createdAt, parts: [], at: clock.now() }
  }

  /** Appends to the log, and writes what has changed of the message since the last fold. */
  async function fold(chunks: readonly ChatChunk[], parsed: ParseInput): Promise<RecordWrite> {
    const { message, open } = reduction
    const { parts, metadata } = message
    const changed: PartWrite[] = []
    for (const [index, part] of parts.entries()) {
      if (part === folded.parts[index]) continue
      partIds[index] ??= createId('prt')
      changed.push({ id: partIds[index], index, data: await parsed(part) })
    }
    const said = metadata === folded.metadata ? null : (metadata ?? null)
    const characters = changed.reduce((sum, { data }) => sum + charactersOf(data), 0)
    folded = { parts, metadata, at: clock.elapsed(), characters }
    unfolded = 0
    const log = { runId, epoch, chunks, open }
    return { log, sessionId, messageId, metadata: said, createdAt, parts: changed, at: clock.now() }
  }

  function scheduleFold() {
    foldTimer ??= clock.after(Math.max(0, foldAt() - clock.elapsed()), flushNext)
  }

  function fail(error: unknown) {
    failed = true
    deps.onFailure(error)
  }

  function endLastStep(chunks: readonly ChatChunk[], step: StepEnding, save: Save<void>): boolean {
    if (savePolicy !== 'chunk') return false
    stopTimers()
    queued = false
    for (const chunk of chunks) reduction = reduceChunk(reduction, chunk)
    pending.push(...chunks)
    lastStep = { step, save }
    framingTimer = clock.after(FRAMING_MS, flushNext)
    return true
  }

  async function commit<T>(
    chunks: readonly ChatChunk[],
    save: (write: RecordWrite) => Promise<T>,
  ): Promise<T> {
    stopTimers()
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
    folded = { ...folded, parts: reduction.message.parts }
    live.append(taken.map(({ data }) => data))
  }

  return {
    write,
    commit,
    endLastStep,
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

/** A message between two steps: nothing of it is open. */
function reductionOf({ id, metadata, parts }: StoredMessage): Reduction {
  const message = { id, role: 'assistant' as const, metadata, parts: parts.map(({ data }) => data) }
  return { message, open: { text: {}, reasoning: {} } }
}
