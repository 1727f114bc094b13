import type { Clock } from '../../ports/clock.ts'
import type { AnswerScanner } from './answer-scanner.ts'
import { readEagerly } from './eager-body.ts'

/** Bytes passed on at once: few enough that reading their events takes milliseconds. */
const PIECE = { bytes: 64 * 1024, lines: 128 }
/** Pieces that are passed on in a row, and milliseconds that this may take. */
const PIECES_PER_TURN = 64
const MS_PER_TURN = 5

/** A server may leave out the line ends behind its last event, which would have it dropped, and with it the end of the answer. */
const END_OF_EVENT = new TextEncoder().encode('\n\n')

type BodyOptions = {
  clock: Pick<Clock, 'elapsed' | 'turn'>
  /** Whether it is a stream of events: the last one is ended then. */
  hasEvents?: boolean
  /** A body that fails is reported here, and nothing more comes of it. Without it the stream fails too. */
  onFailure?: ((error: unknown) => void) | undefined
}

/**
 * The body in small pieces, up to the bounds of `scanner`: past one it fails with the scanner's error, and its source is
 * cancelled. A turn is awaited whenever much has come in one go, so that an answer that comes faster than it can be read
 * leaves time for everything else.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  scanner: AnswerScanner,
  { clock, hasEvents = false, onFailure }: BodyOptions,
): ReadableStream<Uint8Array> {
  const source = readEagerly(body)
  let rest: Uint8Array | null = null
  let inARow = 0
  let turnedAt = clock.elapsed()

  async function next(): Promise<Uint8Array | null> {
    if (rest !== null || inARow >= PIECES_PER_TURN || clock.elapsed() - turnedAt >= MS_PER_TURN) {
      await clock.turn()
      inARow = 0
      turnedAt = clock.elapsed()
    }
    const value = rest ?? (await source.read())
    if (value === null) return null
    const end = scanner.scan(value, PIECE)
    rest = end < value.length ? value.subarray(end) : null
    inARow += 1
    return value.subarray(0, end)
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        try {
          const piece = await next()
          if (piece !== null) return out.enqueue(piece)
          if (hasEvents) out.enqueue(END_OF_EVENT)
          out.close()
        } catch (error) {
          source.cancel(error).catch(() => undefined)
          if (onFailure === undefined) throw error
          onFailure(error)
        }
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
