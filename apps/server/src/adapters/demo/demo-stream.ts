import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Clock } from '@palimpsest/core/ports'
import type { TimedPart } from './demo-parts.ts'

/** Streams the parts at their pace; ends with the signal's reason as soon as it aborts. */
export function demoStream(
  parts: Iterator<TimedPart>,
  clock: Clock,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const cancelled = new AbortController()
  const stop = signal === undefined ? cancelled.signal : AbortSignal.any([signal, cancelled.signal])
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      stop.throwIfAborted()
      const { done, value } = parts.next()
      if (done) return controller.close()
      if (value.afterMs > 0) await clock.sleep(value.afterMs, stop)
      controller.enqueue(value.part)
    },
    cancel(reason) {
      cancelled.abort(reason)
    },
  })
}
