import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Clock } from '../../ports/clock.ts'
import { type AnswerEnd, watchAnswer } from './answer-end.ts'

type Part = LanguageModelV4StreamPart
type Turn = Pick<Clock, 'turn'>

/**
 * A model of a provider's package whose streams fail only after all parts of what has come. The streams that a package
 * is made of discard what they hold when one of them fails; so the bytes of a cut connection just stop, and the parts fail
 * once no more come.
 */
export function keepReceived(model: LanguageModelV4, clock: Turn): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const { abortSignal } = options
      const signal = AbortSignal.any(abortSignal === undefined ? [] : [abortSignal])
      const end = watchAnswer(signal)
      const answer = await model.doStream({ ...options, abortSignal: signal })
      return { ...answer, stream: received(answer.stream, end, clock) }
    },
  }
}

function received(stream: ReadableStream<Part>, end: AnswerEnd, clock: Turn): ReadableStream<Part> {
  const reader = stream.getReader()
  let reading: Promise<ReadableStreamReadResult<Part>> | null = null

  /** Ends the read that is open when nothing comes: a package passes on what it has before other work is done. */
  async function endWhenQuiet(): Promise<void> {
    const waited = reading
    if (waited === null) return
    await clock.turn()
    await clock.turn()
    if (reading === waited) reader.cancel().catch(() => undefined)
  }

  end.onFailure = () => void endWhenQuiet()

  return new ReadableStream<Part>(
    {
      async pull(out) {
        reading = reader.read()
        if (end.failure !== null) void endWhenQuiet()
        const { done, value } = await reading
        reading = null
        if (done && end.failure !== null) throw end.failure.error
        if (done) out.close()
        else out.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
