import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Clock } from '../ports/index.ts'
import type { AnswerEnd } from './answer-end.ts'

type Part = LanguageModelV4StreamPart

/** Reads the parts of an answer. Rejects only after all parts of what has come. */
type PartReader = Pick<ReadableStreamDefaultReader<Part>, 'read' | 'cancel'>

/**
 * Reads the parts that a provider's package makes. The streams that a package is made of discard what they hold when one of them
 * fails; so the bytes of a cut connection just stop, and reading fails once no more parts come. `end`: that of the bytes.
 */
export function readReceived(
  stream: ReadableStream<Part>,
  end: AnswerEnd,
  { turn }: Pick<Clock, 'turn'>,
): PartReader {
  const reader = stream.getReader()
  let reading: Promise<ReadableStreamReadResult<Part>> | null = null

  /** Ends the read that is open when nothing comes: a package passes on what it has before other work is done. */
  async function endWhenQuiet(): Promise<void> {
    const waited = reading
    if (waited === null) return
    await turn()
    await turn()
    if (reading === waited) reader.cancel().catch(() => undefined)
  }

  end.onFailure = () => void endWhenQuiet()

  return {
    async read() {
      reading = reader.read()
      if (end.failure !== null) void endWhenQuiet()
      const result = await reading
      reading = null
      if (result.done && end.failure !== null) throw end.failure.error
      return result
    },
    cancel: (reason) => reader.cancel(reason),
  }
}
