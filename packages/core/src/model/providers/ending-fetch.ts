import { type AnswerEnd, answerEndOf } from './answer-end.ts'

const END_OF_EVENT = new TextEncoder().encode('\n\n')

/** The mark behind the last event of a chat completion, and bytes in which it is looked for. */
const MARK = /(^|\n|\r)data: ?\[DONE\]\s*$/
const TAIL = 64

/**
 * A `fetch` whose streams end their last event: a server that leaves out the line ends behind it would have it dropped,
 * and with it the end of the answer.
 */
export function endingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, ok, headers } = response
    if (!ok || body === null || headers.get('content-type')?.includes('json')) return response
    return new Response(withEnd(body, answerEndOf(init)), response)
  }
}

/** By hand, because a `TransformStream` takes several times as long for each chunk. */
function withEnd(body: ReadableStream<Uint8Array>, end: AnswerEnd | undefined): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let tail: Uint8Array = new Uint8Array()
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const { done, value } = await reader.read()
        if (!done) {
          tail = value.length < TAIL ? joined(tail, value) : value
          return out.enqueue(value)
        }
        if (end !== undefined) end.marked = MARK.test(new TextDecoder().decode(tail.subarray(-TAIL)))
        out.enqueue(END_OF_EVENT)
        out.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.min(before.length, TAIL) + after.length)
  bytes.set(before.subarray(-TAIL))
  bytes.set(after, bytes.length - after.length)
  return bytes
}
