import type { Clock } from '../../ports/clock.ts'
import type { AnswerScanner } from './answer-scanner.ts'
import { readEagerly } from './eager-body.ts'

/** Bytes passed on at once: few enough that reading their events takes milliseconds. */
const PIECE = { bytes: 64 * 1024, lines: 128 }
/** Pieces that are passed on in a row, and milliseconds that this may take. */
const PIECES_PER_TURN = 64
const MS_PER_TURN = 5

/**
 * The body in small pieces, up to the bounds of `scanner`: past one it fails with the scanner's error, and its source is
 * cancelled. A turn is awaited whenever much has come in one go, so that an answer that comes faster than it can be read
 * leaves time for everything else. With `onFailure`, a body that fails is reported there, and nothing more comes of it.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  scanner: AnswerScanner,
  clock: Pick<Clock, 'elapsed' | 'turn'>,
  onFailure: ((error: unknown) => void) | null = null,
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
          if (piece === null) out.close()
          else out.enqueue(piece)
        } catch (error) {
          source.cancel(error).catch(() => undefined)
          if (onFailure === null) throw error
          onFailure(error)
        }
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
