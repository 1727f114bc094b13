/** How the bytes of a streamed answer ended. */
export type AnswerEnd = {
  /** Why no more bytes came, once everything before has been passed on; null while they come, and at a proper end. */
  failure: { error: unknown } | null
  /** Called when `failure` is set. */
  onFailure: () => void
}

/** By the signal of the request: the one thing that a provider's package passes on to `fetch` as it is. */
const ends = new WeakMap<AbortSignal, AnswerEnd>()

/** Watches the answer of a request with this signal, which no other request has. */
export function watchAnswer(signal: AbortSignal): AnswerEnd {
  const end: AnswerEnd = { failure: null, onFailure: () => undefined }
  ends.set(signal, end)
  return end
}

/** What watches the answer of this request; undefined when nothing does. */
export function answerEndOf(init: RequestInit | undefined): AnswerEnd | undefined {
  return init?.signal ? ends.get(init.signal) : undefined
}
