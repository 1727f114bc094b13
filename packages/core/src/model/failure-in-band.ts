import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart

/**
 * The stream with its failure as a last part of the type `error`: streams that fail discard what they hold, and those of the
 * SDK hold the parts that came last. A stream that was aborted fails as it did.
 */
export function failureInBand(stream: ReadableStream<Part>): ReadableStream<Part> {
  const reader = stream.getReader()
  return new ReadableStream<Part>(
    {
      async pull(out) {
        try {
          const { done, value } = await reader.read()
          if (done) out.close()
          else out.enqueue(value)
        } catch (error) {
          if (error instanceof Error && error.name === 'AbortError') throw error
          out.enqueue({ type: 'error', error })
          out.close()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
